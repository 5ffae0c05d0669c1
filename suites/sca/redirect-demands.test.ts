import { expect, test } from 'vitest';
import { fakeRunContext } from '../../src/checks/fake-run-context.test.data.ts';
import type { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { readScaReturn } from '../../src/tpp/sca/sca-return.ts';
import {
  afterEveryFailure,
  afterEverySca,
  mustKeepTo,
  type RedirectDemand,
  withoutCorporateId,
} from './redirect-demands.ts';

const psu = {
  id: '7C1F2F0E-58a5-4d5c-9d0a-2f1c58a54d5c',
  sessionId: 'Session 1',
  ipAddress: '192.0.2.10',
  redirectUri: 'https://tpp.example/redirect',
};

/** The requirement that is named as broken, and what is told. */
function brokenBy(query: string, demands: readonly RedirectDemand[]) {
  const context = fakeRunContext().contextFor('RDR-01', 0);
  try {
    mustKeepTo(context, demands, readScaReturn(`${psu.redirectUri}?${query}`), psu, 'at the end');
    return undefined;
  } catch (error) {
    const { broken, message } = error as ExpectationFailed;
    return [broken?.join(), message];
  }
}

test.each([
  ['psu-id=7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c&tpp-session-id=Session%201&context=PRIVATE', undefined],
  ['tpp-session-id=Session%201&context=PRIVATE', 'RDR-01'],
  ['psu-id=0b8a7c1e-3f52-4d0b-9a4e-6f1c2d3e4b5a&tpp-session-id=Session%201&context=PRIVATE', 'SCA-04'],
  ['psu-id=7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c&tpp-session-id=session%201&context=PRIVATE', 'RDR-02'],
  ['psu-id=7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c&tpp-session-id=Session%201&context=private', 'RDR-03'],
])('after success %s breaks %s', (query, requirement) => {
  expect(brokenBy(query, afterEverySca)?.[0]).toBe(requirement);
});

test.each([
  ['status=401&code=SCA_INVALID&message=The+PSU%20cancelled', undefined],
  ['status=Unauthorized&code=SCA_INVALID&message=m', 'RDF-02'],
  ['status=401&code=&message=m', 'RDF-03'],
  ['status=401&code=SCA_INVALID&message=<cancelled>', 'RDF-04'],
  ['status=401&code=SCA_INVALID&message=50%25%20%C3%B8', undefined],
  ['status=401&code=SCA_INVALID&message=avbr%F8t', 'RDF-04'],
  ['status=401&code=SCA_INVALID&message=The%2520PSU%2520cancelled', undefined],
])('after a failure %s breaks %s', (query, requirement) => {
  expect(brokenBy(query, afterEveryFailure)?.[0]).toBe(requirement);
});

test('a psu-corporate-id is for those who act for a company', () => {
  expect(brokenBy('context=PRIVATE&psu-corporate-id=company-1', [withoutCorporateId])?.[0]).toBe('RDR-04');
  expect(brokenBy('context=PRIVATE&psu-corporate-id=', [withoutCorporateId])).toBeUndefined();
  expect(brokenBy('context=CORPORATE&psu-corporate-id=company-1', [withoutCorporateId])).toBeUndefined();
});

test('what was expected is told with when, next to what came', () => {
  expect(brokenBy('code=SCA_INVALID', afterEveryFailure)?.[1]).toBe(
    'Expected status with a number from 100 to 599 at the end, but got nothing',
  );
});
