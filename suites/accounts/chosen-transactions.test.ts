import { describe, expect, it } from 'vitest';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { mustBeNeighbours, mustBePendingOnes, type ReadBooked } from './chosen-transactions.ts';

const newestFirst = Array.from({ length: 60 }, (_, index) => 1000 - index);
const named = (id: number): { readonly transactionId: string } => ({ transactionId: `T${id}` });
const all = newestFirst.map(named);

/** An account whose newest transactions come first; before some of the readings another one is booked. */
function account(
  isBookedBefore: (reading: number) => boolean,
  startAt: (offset: number) => number = (offset) => offset,
): ReadBooked {
  let readings = 0;
  const ids = [...newestFirst];
  return async ({ limit, offset = '0' }) => {
    readings += 1;
    if (isBookedBefore(readings)) ids.unshift((ids[0] ?? 0) + 1);
    const start = startAt(Number(offset));
    return ids.slice(start, start + Number(limit)).map(named);
  };
}

describe('two stretches of transactions', () => {
  it('are neighbours where the one begins behind the other', async () => {
    await mustBeNeighbours(
      account(() => false),
      all,
    );
  });

  it('are read again where something was booked in between', async () => {
    await mustBeNeighbours(
      account((reading) => reading === 2),
      all,
    );
  });

  it('cannot be compared where that happens each time', async () => {
    const booked = account(() => true);
    await expect(mustBeNeighbours(booked, all)).rejects.toThrow(Inconclusive);
  });

  it('are the same where an offset means nothing', async () => {
    const booked = account(
      () => false,
      () => 0,
    );
    await expect(mustBeNeighbours(booked, all)).rejects.toThrow(ExpectationFailed);
  });

  it('leave none out between them', async () => {
    const booked = account(
      () => false,
      (offset) => (offset > 0 ? offset + 1 : 0),
    );
    await expect(mustBeNeighbours(booked, all)).rejects.toThrow('T990 left out');
  });

  it('lie apart where an offset counts pages', async () => {
    const booked = account(
      () => false,
      (offset) => offset * 10,
    );
    await mustBeNeighbours(booked, all);
  });
});

describe('pending transactions', () => {
  const booked = {
    transactionId: 'T1',
    bookingDate: '2026-11-02',
    remittanceInformationUnstructured: 'Rema',
  };
  const reservation = { transactionId: 'T1', remittanceInformationUnstructured: 'Rema' };
  const unnumbered = { remittanceInformationUnstructured: 'Rema' };

  it('are not listed as booked at the same time', () => {
    const twice = () => mustBePendingOnes([], [booked], { booked: [booked], pending: [] });
    expect(twice).toThrow('which is listed as booked as well');
    const inOneAnswer = () => mustBePendingOnes([], [], { booked: [booked], pending: [booked] });
    expect(inOneAnswer).toThrow('which is listed as booked as well');
  });

  it('may be what was reserved for a booked one, and need no ids', () => {
    const both = { booked: [booked, unnumbered], pending: [reservation, unnumbered] };
    expect(() => mustBePendingOnes([], [reservation, unnumbered], both)).not.toThrow();
  });
});
