import { describe, expect, it } from 'vitest';
import { type JsonObject, setAt } from '../payloads/json.ts';
import { textAt } from '../spec/json.ts';
import { headerOf } from '../tpp/fake-transport.test.data.ts';
import { acceptedAmong, type Carrier } from './carrier.ts';
import type { Twist } from './case.ts';
import type { Check } from './check.ts';
import { placeChecks, runChecks } from './engine.ts';
import {
  created,
  type FakeBank,
  type FakeRequest,
  fakeRunContext,
  refusal,
  suiteOf,
} from './fake-run-context.test.data.ts';
import { aDomesticPayment } from './subject.ts';
import { accepts } from './trial.ts';

const countries = ['AX', 'BV', 'CX', 'DE', 'EE', 'FI', 'GE', 'HK', 'IS', 'JP', 'KI', 'LT'];
const purposes = ['INVS', 'IDCP', 'CASH'];

const countryTwists = countries.map(
  (country): Twist => ({
    label: `country is ${country}`,
    body: (body) => setAt(body, ['creditorAddress'], { country }),
  }),
);
const purposeTwists = purposes.map(
  (code): Twist => ({ label: `purposeCode is ${code}`, body: (body) => setAt(body, ['purposeCode'], code) }),
);
const languageTwists = ['nb', 'en'].map(
  (language): Twist => ({
    label: `Accept-Language is ${language}`,
    request: { beforeSigning: ({ headers }) => headers.set('Accept-Language', language) },
  }),
);

const carrier: Carrier = {
  of: aDomesticPayment(),
  place: 0,
  lists: [{ twists: countryTwists }, { twists: purposeTwists, isOptional: true }, { twists: languageTwists }],
};

const listed = (id: string, twists: readonly Twist[], by: Carrier = carrier): Check =>
  accepts({
    id,
    requirement: 'NDC-30',
    title: `accepted with each value of ${id}`,
    of: aDomesticPayment(),
    control: 'none',
    twists,
    cases: 1,
    carrier: by,
  });
const ofCountries = listed('NDC-30-accepted', countryTwists);
const ofPurposes = listed('NDC-53-accepted', purposeTwists);

/** A run of some checks: what they found, all bodies that were sent, and for what. */
async function judged(checks: readonly Check[], bank: FakeBank = () => created(), seed = 7) {
  const sent: JsonObject[] = [];
  const noting: FakeBank = (request) => {
    sent.push(request.body);
    return bank(request);
  };
  const runContext = fakeRunContext(noting, { runs: 1, seed });
  const results = await runChecks(placeChecks([suiteOf(...checks)]), runContext);
  const purposes = runContext.observations.kept.map(({ exchange }) => exchange.purpose ?? '');
  return { results, sent, purposes };
}

const countryIn = ({ body }: FakeRequest): string | undefined => textAt(body, 'creditorAddress', 'country');
describe('a request that carries values of several lists', () => {
  it('is sent once for all of them, and each of their checks passes by it', async () => {
    const { results, sent } = await judged([ofCountries, ofPurposes]);
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    const ofCarrier = sent.filter((body) =>
      countries.includes(textAt(body, 'creditorAddress', 'country') ?? ''),
    );
    expect(ofCarrier).toHaveLength(countries.length);
    expect(ofCarrier.filter((body) => purposes.includes(textAt(body, 'purposeCode') ?? ''))).toHaveLength(
      purposes.length,
    );
    // What another check has sent counts there. The short list is tried a second time, in the other context.
    const counted = results.reduce((sum, { requests = 0 }) => sum + requests, 0);
    expect(counted).toBe(countries.length + purposes.length);
    // Each tells of its own value only.
    const [country] = results.find(({ id }) => id === 'NDC-30-accepted')?.exchanges ?? [];
    expect(country?.purpose).toMatch(
      /^country is \w\w(, next to (a value of another list|values of \d other lists))?$/,
    );
  });

  it('leaves the values of a refused one to their own checks, which blame the one that is refused alone', async () => {
    const bank: FakeBank = (request) => (countryIn(request) === 'JP' ? refusal('country') : created());
    const { results } = await judged([ofCountries, ofPurposes], bank);
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['NDC-53-accepted', 'pass'],
      ['NDC-30-accepted', 'fail'],
    ]);
    expect(results[1]).toMatchObject({ expected: expect.stringContaining('country is JP') });
  });

  it('is given up where the first of them is refused', async () => {
    const bank: FakeBank = ({ body, wire }) =>
      Object.keys(body['creditorAddress'] as JsonObject).length === 1 &&
      headerOf(wire, 'Accept-Language') === 'nb'
        ? refusal()
        : created();
    // The language stands in the first with this seed.
    // The language stands in the first with this seed.
    const { results, purposes } = await judged([ofCountries], bank, 6);
    expect(results[0]?.verdict).toBe('pass');
    const alone = purposes.filter((label) => label.startsWith('country') && !label.includes('; '));
    expect(alone).toHaveLength(countries.length);
  });

  it('has no value of an optional field next to no optional fields', async () => {
    const { sent } = await judged([ofCountries]);
    const bare = sent.filter((body) => body['requestedExecutionDate'] === undefined);
    expect(bare.length).toBeGreaterThan(0);
    expect(bare.filter((body) => purposes.includes(textAt(body, 'purposeCode') ?? ''))).toEqual([]);
  });

  describe('in both contexts', () => {
    const names = ['Accept-Charset', 'Accept-Encoding', 'Accept-Language', 'PSU-Geo-Location'];
    const lists = names.map((name) => {
      const there: Twist = {
        label: `${name} is there`,
        request: { beforeSigning: ({ headers }) => headers.set(name, 'x') },
      };
      const without: Twist = {
        label: `${name} is missing`,
        request: { beforeSigning: ({ headers }) => headers.remove(name) },
      };
      return { twists: [there, without], without };
    });
    const inBoth: Carrier = { of: aDomesticPayment(), place: 3, lists, inEveryContext: true };
    const checks = lists.map(({ twists }, index) => listed(`HDN-0${index}`, twists, inBoth));
    const has = ({ wire }: FakeRequest, name: string): boolean => headerOf(wire, name) !== undefined;

    it('takes fewer requests than each header alone', async () => {
      const { results, purposes } = await judged(checks);
      expect(results.map(({ verdict, cases }) => [verdict, cases])).toEqual(names.map(() => ['pass', 4]));
      expect(purposes.filter((purpose) => purpose.includes('is missing'))).toHaveLength(8);
    });

    it('notices a bank that demands one of them where another is there', async () => {
      for (const demanded of names)
        for (const other of names.filter((name) => name !== demanded)) {
          const { results } = await judged(checks, (request) =>
            has(request, other) && !has(request, demanded) ? refusal() : created(),
          );
          expect(results.some(({ verdict }) => verdict === 'fail')).toBe(true);
        }
    });
  });

  it('carries other values together with the next seed', async () => {
    const purposes = async (seed: number) =>
      new Set((await judged([ofCountries], () => created(), seed)).purposes);
    expect(await purposes(1)).not.toEqual(await purposes(2));
  });

  it('is no foreign payment where it carries what has to be taken of ordinary ones', async () => {
    const currencies = ['EUR', 'USD', 'SEK'].map(
      (currency): Twist => ({
        label: `currency is ${currency}`,
        body: (body) => setAt(body, ['instructedAmount', 'currency'], currency),
      }),
    );
    const many = countryTwists.map(
      (twist, index): Twist => (index < 5 ? twist : { ...twist, isOneOfMany: true }),
    );
    const lists = [{ twists: currencies, isForeign: true as const }, { twists: many }];
    for (const seed of [1, 2, 3]) {
      const check = listed('NDC-30-accepted', many, { ...carrier, lists });
      const { purposes } = await judged([check], () => created(), seed);
      const carried = purposes.filter((purpose) => purpose.includes('country'));
      expect(carried).toHaveLength(countries.length);
      const foreign = carried.filter((purpose) => purpose.includes('currency'));
      expect(foreign).toHaveLength(currencies.length);
      for (const { label } of many.slice(0, 5)) expect(foreign.join('; ')).not.toContain(label);
    }
  });

  it('lends the payments that it made', async () => {
    const runContext = fakeRunContext(undefined, { runs: 1 });
    const context = runContext.contextFor('BSK-13', 0);
    expect(await acceptedAmong(context, carrier, { from: 2, count: 5 })).toHaveLength(5);
    expect(await acceptedAmong(context, carrier, { from: 10, count: 5 })).toHaveLength(2);
    // The first is always asked for.
    const asked = runContext.observations.kept.filter(({ exchange }) =>
      exchange.purpose?.includes('country'),
    );
    expect(asked).toHaveLength(1 + 5 + 2);
  });
});
