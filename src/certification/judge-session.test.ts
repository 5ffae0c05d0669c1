import { beforeAll, describe, expect, test } from 'vitest';
import type { LoadedSuite } from '../checks/check.ts';
import { signingAtOnce } from '../proof/short-keys.ts';
import { certifyInProcess, createTppKeys, type TppKeys } from '../proof/tpp/certify.ts';
import { tppDialects } from '../proof/tpp/dialects.ts';
import { judgeRun } from '../report/outcome.ts';
import { loadSuites } from '../runner/load-suites.ts';
import type { TppCertificateOptions } from '../signing/certificate-authority.ts';
import { requirements } from '../spec/catalogue.ts';
import { journeys } from './journeys.ts';
import {
  Admission,
  boundText,
  footerOf,
  headerOf,
  journeySuite,
  judgeSession,
  mostUnsigned,
  Progress,
} from './judge-session.ts';
import type { FailedConnection, ReachedBound, RecordedExchange } from './recording.ts';
import { type BehaviourChange, offering } from './reference-tpp/behaviour.ts';
import { Session } from './session.ts';
import type { TppCheck } from './tpp-check.ts';

let keys: TppKeys;
let suites: readonly LoadedSuite<TppCheck>[];
beforeAll(async () => {
  [keys, suites] = await Promise.all([createTppKeys(), loadSuites('tpp')]);
});

async function outcomeOf(session: Session) {
  const results = await judgeSession(session, suites, 'again');
  const run = { header: headerOf(session, suites), results, footer: footerOf(session, results) };
  return { results, outcome: judgeRun(run, requirements), header: run.header };
}

const certified = async (change?: BehaviourChange) =>
  outcomeOf((await certifyInProcess(keys, change)).session);

describe('a certification', () => {
  test('of a correct TPP is conformant, with the TPP as its subject', async () => {
    const { outcome, header, results } = await certified();
    expect(outcome).toMatchObject({ verdict: 'conformant', exitCode: 0, problems: [], gaps: [] });
    expect(header.target.name).toBe('Test TPP AS (PSDNO-FSA-123456)');
    expect(header.fingerprints).toEqual({ 'signature of the TPP': keys.tpp.certificate.fingerprint256 });
    expect(outcome.requirements.every(({ requirement }) => requirement.side === 'tpp')).toBe(true);
    expect(results.filter(({ suite }) => suite.id === journeySuite.id)).toHaveLength(journeys.length);
    // Passes are shown by an exchange, but for what only several requests show together.
    expect(results.filter(({ verdict, exchanges }) => verdict === 'pass' && exchanges.length === 0)).toEqual(
      [],
    );
  });

  test('shows no certificate and no national identity number', async () => {
    const { results } = await certified();
    const shown = JSON.stringify(results);
    expect(shown.includes('01819010001')).toBe(false);
    expect(shown.includes(keys.tpp.certificate.base64.slice(0, 200))).toBe(false);
  });

  test('of a TPP that breaks a must is not conformant, whatever it completed', async () => {
    const { outcome } = await certified((behaviour) => ({ ...behaviour, unattendedReads: 5 }));
    expect(outcome).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
  });

  test('of a TPP that only falls short of a should is conformant, with a warning', async () => {
    const { outcome } = await certified((behaviour) => ({ ...behaviour, trusts: () => true }));
    expect(outcome).toMatchObject({ verdict: 'conformant', counts: { warning: 1 } });
  });

  test('of two TPPs is incomplete, whichever of them has shown the journeys', async () => {
    const { session } = await certifyInProcess(keys);
    const certifiedWith = async (options: TppCertificateOptions) => {
      const identity = signingAtOnce(await keys.ca.issueTpp(options));
      const other = await certifyInProcess({ ...keys, tpp: identity }, (behaviour) => ({
        ...behaviour,
        journeys: ['accounts'],
      }));
      const both = new Session(session.start);
      for (const { recorded } of [...session.exchanges, ...other.session.exchanges]) both.add(recorded);
      return outcomeOf(both);
    };
    const { outcome } = await certifiedWith({
      organisation: 'Other TPP AS',
      authorisationNumber: 'PSDNO-FSA-654321',
    });
    expect(outcome.verdict).not.toBe('conformant');
    expect(outcome.problems).toContainEqual(
      expect.stringMatching(/^Requests of 2 TPPs were recorded \(Test TPP AS .*, Other TPP AS /),
    );
    const { outcome: renewed } = await certifiedWith({ organisation: 'Test TPP, renamed AS' });
    expect(renewed.problems.filter((problem) => problem.includes('TPPs were recorded'))).toEqual([]);
  });

  test('of a recording that lacks an exchange is incomplete, unless it was too much to keep', async () => {
    const { session } = await certifyInProcess(keys);
    const without = (number: number): Session => {
      const less = new Session(session.start);
      for (const { recorded } of session.exchanges) if (recorded.number !== number) less.add(recorded);
      return less;
    };
    const lost = session.requests.at(-2)?.number ?? 0;
    const { outcome } = await outcomeOf(without(lost));
    expect(outcome.verdict).toBe('incomplete');
    expect(outcome.problems).toContainEqual(expect.stringMatching(/^The recording lacks an exchange /));
    const cut = without(session.lastNumber);
    cut.end = { at: session.start.startedAt, reason: 'finish', answered: session.lastNumber };
    expect((await outcomeOf(cut)).outcome.problems).toContainEqual(
      expect.stringMatching(/^The recording lacks/),
    );
    const bounded = without(lost);
    bounded.bounds.push({ at: session.start.startedAt });
    expect((await outcomeOf(bounded)).outcome.problems).not.toContainEqual(expect.stringMatching(/lacks/));
  });

  test('of a TPP that nobody saw is incomplete, and says which journeys are missing', async () => {
    const { outcome, header } = await outcomeOf(
      new Session({
        tool: { name: 'test', version: '1' },
        startedAt: '2026-03-03T10:00:00.000Z',
        baseUrl: 'https://bank.example',
        trustedAuthorities: keys.authorities,
      }),
    );
    expect(outcome).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    expect(outcome.problems).toEqual([
      expect.stringMatching(/^9 mandatory journeys not completed: .*first-payment/),
    ]);
    expect(outcome.counts['not-applicable']).toBe(header.planned.length);
    expect(header.target.name).toBe('A TPP that was not seen');
  });
});

describe('profiles', () => {
  const profilesOf = async (change: BehaviourChange) => {
    const { outcome } = await certified(change);
    return Object.fromEntries(outcome.profiles.map(({ id, verdict }) => [id, verdict]));
  };

  test.each(tppDialects.filter(({ profiles }) => profiles !== undefined))(
    'of a TPP that $title are those that it uses, and it is conformant to them',
    async ({ change, profiles = [] }) => {
      const judged = await profilesOf(change(keys));
      expect(judged).toEqual(Object.fromEntries(profiles.map((id) => [id, 'conformant'])));
    },
  );

  test('that were declared are incomplete without their journeys, whatever else was shown', async () => {
    const { session } = await certifyInProcess(keys, (behaviour) => ({
      ...behaviour,
      journeys: ['accounts'],
    }));
    const declared = new Session({ ...session.start, profiles: ['accounts', 'signing-baskets'] });
    for (const { recorded } of session.exchanges) declared.add(recorded);
    const { outcome } = await outcomeOf(declared);
    expect(outcome).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    expect(outcome.profiles).toMatchObject([
      { id: 'core', verdict: 'conformant' },
      { id: 'signing-baskets', verdict: 'incomplete', missingJourneys: ['basket'] },
      { id: 'accounts', verdict: 'conformant' },
    ]);
  });

  test('need no payment to be repeated after 429 or 503', async () => {
    const { outcome } = await certified((behaviour) => ({ ...behaviour, triesAgain: false }));
    expect(outcome).toMatchObject({ verdict: 'conformant', counts: { warning: 0 } });
  });
});

test('a journey that does not complete names the refusals on its way', async () => {
  const { results } = await certified((behaviour) => ({
    ...behaviour,
    body: (_, { creditorAddress: __, ...body }) => body,
  }));
  const journey = results.find(({ id }) => id === 'JRN-first-payment');
  expect(journey).toMatchObject({ verdict: 'not-applicable' });
  expect(journey?.notes[0]).toMatch(/^POST .*credit-transfers \(request \d+\) was refused with 400: /);
});

test('progress tells each journey, requirement and failure once', async () => {
  const { session } = await certifyInProcess(keys, (behaviour) => ({ ...behaviour, unattendedReads: 5 }));
  const progress = new Progress(session, suites);
  const news = await progress.look();
  expect(news.completed).toHaveLength(journeys.length);
  expect(news.seen).toContain('TPP-37');
  expect(news.failed.map(({ id }) => id)).toEqual(['TPP-37']);
  expect(await progress.look()).toEqual({ completed: [], seen: [], failed: [], settled: [] });
  expect(progress.state).toMatchObject({ requests: session.requests.length, failedChecks: ['TPP-37'] });
});

test('progress takes back a failure that later requests settle', async () => {
  const { session } = await certifyInProcess(keys, offering('signing-baskets'));
  const { recorded: basket } = session.of('createSigningBasket')[0] ?? {};
  const live = new Session(session.start);
  const progress = new Progress(live, suites);
  const addUntil = (end: unknown): void => {
    for (const { recorded } of session.exchanges.slice(live.exchanges.length)) {
      if (recorded === end) return;
      live.add(recorded);
    }
  };
  addUntil(basket);
  // Payments that nobody has approved, as yet.
  expect((await progress.look()).failed.map(({ id }) => id)).toEqual(['TPP-20']);
  addUntil(undefined);
  expect(await progress.look()).toMatchObject({ failed: [], settled: ['TPP-20'] });
  expect(progress.state).toMatchObject({ failedChecks: [] });
});

/** A TPP that did everything right from one address, and connections that came to nothing. */
async function withFailedConnections(...connections: readonly Omit<FailedConnection, 'at'>[]) {
  const { session } = await certifyInProcess(keys);
  const seen = new Session(session.start);
  for (const { recorded } of session.exchanges) seen.add({ ...recorded, source: '192.0.2.1' });
  for (const connection of connections)
    seen.addFailedConnection({ at: session.start.startedAt, ...connection });
  const { results, outcome, header } = await outcomeOf(seen);
  return { verdict: outcome.verdict, tls: results.find(({ id }) => id === 'TPP-01'), header };
}

const oldTls = { code: 'ERR_SSL_UNSUPPORTED_PROTOCOL', message: 'unsupported protocol' };
const noTls = { code: 'ERR_SSL_WRONG_VERSION_NUMBER', message: 'wrong version number' };
const noHttp = { code: 'HPE_INVALID_METHOD', message: 'Parse Error: Invalid method encountered' };

test('a TPP is blamed for old TLS from where it comes itself, and not for what a scanner tries', async () => {
  expect(await withFailedConnections({ ...oldTls, source: '192.0.2.1' })).toMatchObject({
    verdict: 'non-conformant',
    tls: { verdict: 'fail' },
  });
  const scanned = await withFailedConnections(
    { ...oldTls, source: '203.0.113.9' },
    { ...noTls, source: '192.0.2.1' },
  );
  expect(scanned).toMatchObject({ verdict: 'conformant', tls: { verdict: 'pass' } });
  expect(scanned.tls?.notes).toContainEqual(expect.stringContaining('refused for their version: 1'));
});

test('nobody is conformant next to requests that could not be read as HTTP, and that no check has seen', async () => {
  const told = await withFailedConnections(
    { ...noHttp, source: '192.0.2.1' },
    { ...noHttp, source: '203.0.113.9' },
  );
  expect(told.verdict).toBe('incomplete');
  expect(told.header.incomplete).toEqual([
    expect.stringMatching(/^A request could not be read.*Invalid method/),
  ]);
  const others = await withFailedConnections(
    { ...noHttp, source: '203.0.113.9' },
    { code: 'HPE_INVALID_EOF_STATE', message: 'Invalid EOF state', source: '192.0.2.1' },
    { code: 'HPE_CLOSED_CONNECTION', message: 'Data after `Connection: close`', source: '192.0.2.1' },
  );
  expect(others.verdict).toBe('conformant');
});

/** A TPP that did everything right from one address, and a request to the listing of accounts that nobody has signed. */
async function withUnsigned(source: string | undefined, headers: readonly (readonly [string, string])[]) {
  const { session } = await certifyInProcess(keys);
  const seen = new Session(session.start);
  const asked: RecordedExchange = {
    ...exchange('listAccounts', 400),
    number: 0,
    ...(source === undefined ? {} : { source }),
    request: { method: 'GET', target: '/v1/accounts', headers, body: '' },
  };
  // It comes before anybody is known to be the TPP.
  seen.add(asked);
  for (const { recorded } of session.exchanges) seen.add({ ...recorded, source: '127.0.0.1' });
  const { outcome, header } = await outcomeOf(seen);
  return { verdict: outcome.verdict, remarks: header.remarks };
}

test('a request of a stranger does not count, and is told', async () => {
  expect(
    await withUnsigned('203.0.113.9', [
      ['Host', 'bank'],
      ['User-Agent', 'scanner'],
    ]),
  ).toEqual({
    verdict: 'conformant',
    remarks: [expect.stringMatching(/^A request without any header of the interface came from where/)],
  });
});

test.each<readonly [string, string, readonly (readonly [string, string])[]]>([
  ['from where the TPP comes', '127.0.0.1', []],
  ['from another address of the same machine', '::1', []],
  ['with a header of the interface', '203.0.113.9', [['X-Request-ID', '1']]],
  ['with an id of a PSU', '203.0.113.9', [['psu-id', '7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11']]],
])('a request that is not signed counts %s', async (_, source, headers) => {
  expect(await withUnsigned(source, headers)).toMatchObject({ verdict: 'non-conformant' });
});

const exchange = (operation = 'unknown', status = 404, body = ''): RecordedExchange => ({
  number: 1,
  at: '2026-03-03T10:00:00.000Z',
  durationMs: 1,
  operation,
  request: { method: 'GET', target: '/', headers: [], body },
  response: { status, headers: [] },
});
const admits = (subject: Admission, sent: RecordedExchange, source = '192.0.2.7'): boolean =>
  subject.admits(sent, source, () => false);

function admission() {
  const reached: ReachedBound[] = [];
  return { subject: new Admission((bound) => reached.push(bound)), reached };
}

test('requests that nobody signed are kept up to a number for each source, and the bound is told once', () => {
  const { subject, reached } = admission();
  const kept = Array.from({ length: mostUnsigned.requests + 50 }, () => admits(subject, exchange()));
  expect(kept.filter(Boolean)).toHaveLength(mostUnsigned.requests);
  expect(reached.map(({ source }) => source)).toEqual(['192.0.2.7']);
  expect(reached.map(boundText)).toEqual([expect.stringContaining('from 192.0.2.7')]);
  expect(admits(subject, exchange(), '192.0.2.8')).toBe(true);
});

test('what was signed, and visits to pages that the bank gave out, are always kept', () => {
  const { subject, reached } = admission();
  for (let count = 0; count <= mostUnsigned.requests; count += 1) {
    admits(subject, exchange());
  }
  expect(subject.admits(exchange('readBalances', 200), '192.0.2.7', () => true)).toBe(true);
  expect(admits(subject, exchange('page', 303))).toBe(true);
  expect(admits(subject, exchange('page', 404))).toBe(false);
  expect(reached).toHaveLength(1);
});

test('large bodies and many sources are bounded as well', () => {
  const { subject, reached } = admission();
  const megabyte = 'x'.repeat(1024 * 1024);
  const kept = Array.from({ length: 40 }, () => admits(subject, exchange('unknown', 404, megabyte)));
  expect(kept.filter(Boolean).length).toBeLessThan(40);
  for (let host = 0; host < mostUnsigned.sources + 5; host += 1) {
    admits(subject, exchange(), `198.51.100.${host}`);
  }
  expect(reached.map(({ source }) => source)).toEqual(['192.0.2.7', undefined]);
  expect(boundText({ at: '' })).toContain(`more than ${mostUnsigned.sources} addresses`);
});
