import { expect, test } from 'vitest';
import { compliantDesign } from '../bank/compliant-design.ts';
import { dialectById } from '../bank/dialects/index.ts';
import { placeChecks } from '../checks/engine.ts';
import { loadTarget } from '../target/load-target.ts';
import { Redactor } from '../tpp/redaction.ts';
import { examine, type Finding } from './doctor.ts';
import { startEmbeddedBank } from './embedded-bank.ts';
import { embeddedPki } from './embedded-pki.ts';
import { loadSuites } from './load-suites.ts';

/** What is found at a bank of these dialects, with what its target file says besides. */
async function findingsAt(dialects: string, declared: object): Promise<readonly Finding[]> {
  const design = dialects
    .split(' ')
    .reduce((sofar, id) => dialectById.get(id)?.apply(sofar) ?? sofar, compliantDesign);
  const bank = await startEmbeddedBank({ design, pki: await embeddedPki() });
  try {
    const text = JSON.stringify({ ...JSON.parse(bank.targetText), ...declared });
    const target = await loadTarget({ text }, {}, {});
    return await examine(target, new Redactor(target), 1, placeChecks(await loadSuites()), () => {});
  } finally {
    await bank.close();
  }
}

const notFine = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');

test('a bank without baskets is told how to say so, and has said it', async () => {
  expect(notFine(await findingsAt('offers/no-signing-baskets', {}))).toEqual([
    {
      name: 'Signing basket',
      state: 'failed',
      said: expect.stringMatching(/^404/),
      remedy: expect.stringContaining('Name signing-baskets under notOffered.'),
    },
  ]);
  const notOffered = [{ what: 'signing-baskets', reason: 'payments are signed one by one' }];
  expect(notFine(await findingsAt('offers/no-signing-baskets', { notOffered }))).toEqual([
    { name: 'Signing basket', state: 'skipped', said: expect.stringContaining('signing-baskets') },
  ]);
}, 60_000);

test('a bank that tells no time is told how the clock can be judged', async () => {
  expect(notFine(await findingsAt('headers/no-date', { interpretations: {} }))).toContainEqual({
    name: 'Clock',
    state: 'warning',
    said: 'the bank sends no Date header',
    remedy: expect.stringContaining('clockReference: own-clock'),
  });
}, 60_000);

test('a test environment without sandbox operations is asked for something else', async () => {
  const notOffered = [{ what: 'sandbox', reason: 'customers are not listed' }];
  expect(notFine(await findingsAt('offers/no-sandbox', { notOffered }))).toEqual([]);
}, 60_000);

test('a bank that has nothing to read, and says so, is asked for payments', async () => {
  const bank = 'offers/payments-only offers/no-sandbox offers/no-signing-baskets';
  const said = (...profiles: string[]) => ({
    notOffered: profiles.map((what) => ({ what, reason: 'payments only' })),
  });
  expect(notFine(await findingsAt(bank, said('signing-baskets')))[0]).toMatchObject({
    name: 'Signed request',
    state: 'failed',
    remedy: expect.stringContaining('name sandbox under notOffered'),
  });
  const findings = await findingsAt(bank, said('sandbox', 'accounts', 'signing-baskets'));
  expect(findings.find(({ name }) => name === 'Signed request')).toMatchObject({
    state: 'warning',
    said: 'accounts: 404',
  });
  expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
}, 60_000);

test('a target file that leaves requirements open is told so, with what each of them takes', async () => {
  const findings = await findingsAt('', {
    payments: {},
    notOffered: [{ what: 'BSK-17', reason: 'no bulk' }],
  });
  expect(notFine(findings)).toEqual([
    {
      name: 'Whole verdict',
      state: 'warning',
      said: [
        'a run would leave at least 2 must-level requirements open. For a whole verdict:',
        '- add the id of a periodic payment to payments.periodic of the target file (BSK-18)',
        '- add the id of a payment in status PDNG to payments.pending of the target file (ERR-04)',
      ].join('\n'),
      remedy: expect.stringContaining('notOffered'),
    },
  ]);
}, 60_000);

test('an account that the target file names for some checks alone is tried before them', async () => {
  const bank = await startEmbeddedBank({ pki: await embeddedPki() });
  const { accounts } = JSON.parse(bank.targetText);
  await bank.close();
  const card = { identification: 'nobody-has-this-card', currency: 'NOK' };
  const findings = await findingsAt('', { accounts: { ...accounts, card } });
  expect(findings.filter(({ name }) => name === 'Payment with a KID').map(({ state }) => state)).toEqual(
    accounts.kidCreditor === undefined ? [] : ['ok'],
  );
  expect(notFine(findings)).toEqual([
    expect.objectContaining({
      name: 'Payment from a card',
      state: 'failed',
      remedy: expect.stringContaining('accounts.card'),
    }),
  ]);
}, 60_000);
