import { beforeAll, expect, test } from 'vitest';
import type { LoadedSuite } from '../../checks/check.ts';
import { loadSuites } from '../../runner/load-suites.ts';
import { requirements } from '../../spec/catalogue.ts';
import type { TppCheck } from '../tpp-check.ts';
import { deviantTpps } from './deviants.ts';
import { tppDialects } from './dialects.ts';
import {
  describeTppProof,
  isKilledAndBlamed,
  isLeftAlone,
  needlessTppChecks,
  proveTpp,
  type TppProof,
} from './prove-tpp.ts';

let suites: readonly LoadedSuite<TppCheck>[];
let proof: TppProof;
beforeAll(async () => {
  suites = await loadSuites('tpp');
  proof = await proveTpp(suites);
}, 240_000);

test('every deviant TPP is found out, and blamed for nothing else', () => {
  expect(proof.deviants.filter((verdict) => !isKilledAndBlamed(verdict))).toEqual([]);
});

test('no check complains about a TPP that is only unusual, and all its journeys are seen', () => {
  expect(proof.dialects.filter((verdict) => !isLeftAlone(verdict))).toEqual([]);
});

test('every check is missed when it is left out: some deviant is found out by no other', () => {
  expect(needlessTppChecks(proof, suites)).toEqual([]);
});

test('there are more than sixty of them, under ids of their own', () => {
  const ids = deviantTpps.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(60);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(tppDialects.map(({ id }) => id)).size).toBe(tppDialects.length);
});

test('every requirement on a TPP that can be observed has a deviant', () => {
  const broken = new Set(deviantTpps.map(({ breaks }) => breaks));
  const holes = requirements.filter(
    ({ id, side, unobservable }) => side === 'tpp' && unobservable === undefined && !broken.has(id),
  );
  expect(holes.map(({ id }) => id)).toEqual([]);
});

test('the proof tells its score in a line', () => {
  expect(describeTppProof(proof).split('\n')[0]).toMatch(
    /^TPP proof: (\d+) of \1 deviant TPPs killed and blamed, (\d+) of \2 correct ones left alone \(/,
  );
});

test('a survivor is named with what was blamed instead', () => {
  const survivor = {
    id: 'TPP-08/x',
    title: 'does x',
    foundBy: [],
    falseAlarms: ['TPP-03: why'],
    incomplete: [],
  };
  const text = describeTppProof({
    deviants: [survivor],
    dialects: [{ ...survivor, id: 'odd' }],
    durationMs: 0,
  });
  expect(text).toContain('0 of 1');
  expect(text).toContain('TPP-08/x does x: not found');
  expect(text).toContain('blamed without reason: TPP-03: why');
});
