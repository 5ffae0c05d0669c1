import { describe, expect, it } from 'vitest';
import { changeAt, removeAt, setAt } from './json.ts';

const body = {
  name: 'a',
  account: { bban: '1', currency: 'NOK' },
  list: [{ reference: 'x' }, { reference: 'y' }],
};

describe('a change by path', () => {
  it('sets, deep inside too', () => {
    expect(setAt(body, ['account', 'bban'], '2')).toEqual({
      ...body,
      account: { bban: '2', currency: 'NOK' },
    });
    expect(setAt(body, ['other', 'identification'], 'c')).toEqual({
      ...body,
      other: { identification: 'c' },
    });
  });

  it('keeps the order of members', () => {
    expect(Object.keys(setAt(body, ['name'], 'b'))).toEqual(['name', 'account', 'list']);
  });

  it('goes into the first element of an array', () => {
    expect(setAt(body, ['list', '*', 'reference'], 'z')).toEqual({
      ...body,
      list: [{ reference: 'z' }, { reference: 'y' }],
    });
    expect(setAt(body, ['list', '*'], 'z')).toEqual({ ...body, list: ['z', { reference: 'y' }] });
  });

  it('removes', () => {
    expect(removeAt(body, ['account'])).toEqual({ name: 'a', list: body.list });
    expect(removeAt(body, ['list', '*', 'reference'])).toEqual({ ...body, list: [{}, { reference: 'y' }] });
  });

  it('leaves alone what the path does not lead to', () => {
    expect(setAt(body, ['name', 'first'], 'z')).toEqual(body);
    expect(setAt(body, ['name', '*'], 'z')).toEqual(body);
  });

  it('never touches what it is given', () => {
    const before = structuredClone(body);
    changeAt(body, ['list', '*', 'reference'], () => 'z');
    removeAt(body, ['account', 'bban']);
    expect(body).toEqual(before);
  });
});
