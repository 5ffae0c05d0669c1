import { beforeAll, expect, it } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { DesignChange } from '../../bank/design/design-changes.ts';
import { deviations } from '../../bank/deviations/index.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { judge } from '../../checks/engine.ts';
import { changedFields, tellingExchange } from '../../report/exchange-text.ts';
import { Redactor } from '../../tpp/redaction.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { type ProofSetup, proofSetup } from './prove-bank.test.data.ts';

let setup: ProofSetup;
beforeAll(async () => {
  setup = await proofSetup();
}, 60_000);

/** What a failure of the check on such a bank shows. */
async function shownBy(deviation: string, id: string, unusual: DesignChange = (design) => design) {
  const broken = deviations.find((each) => each.id === deviation);
  const placed = setup.checks.find(({ check }) => check.id === id);
  if (broken === undefined || placed === undefined) throw new Error(`There is no ${deviation} or ${id}.`);
  const design = broken.apply(unusual(compliantDesign));
  const { bank, runContext } = await createBankRunContext(setup.keys, design, { runs: 10 });
  // The proof reads no counterexamples, and so makes them no smaller and hides nothing; a run does.
  const { shrinkingBudget: _, ...asInARun } = { ...runContext, redactor: new Redactor() };
  const result = await judge(placed, asInARun);
  await bank.close();
  return { result, changed: changedFields(result) };
}

/** A fault in each kind of thing: a field, a header, the signature, a basket, the body as a whole, an alternative. */
const kinds: readonly [deviation: string, check: string, changed: readonly string[]][] = [
  ['AMT-02/unchecked', 'AMT-02', ['instructedAmount.amount']],
  ['AMT-02/unchecked', 'AMT-02-cross-border', ['instructedAmount.amount']],
  ['NDC-17/unchecked', 'NDC-17', ['creditorAccount.bban']],
  ['NCB-29/answered-500', 'NCB-29', ['creditorAddress.country']],
  [
    'ERR-02/answered-500-a-payment-to-an-account-that-demands-a-kid-has-one',
    'ERR-02-missing',
    ['remittanceInformationStructuredArray'],
  ],
  ['HDB-16/unchecked', 'HDB-16', ['PSU-ID']],
  ['BSK-01/answered-500', 'BSK-01', ['paymentIds']],
  ['SIG-01/unchecked-at-basket', 'SIG-01-basket', ['Signature']],
  ['CRT-07/unchecked-at-sandbox', 'CRT-07-sandbox', ['Signature']],
  ['DIG-10/unchecked-at-domestic', 'DIG-10', ['Digest']],
  ['SGS-01/409-for-400', 'SGS-01', ['Date']],
  // Redaction leaves the difference: an id in other letters.
  ['SGS-04/unchecked', 'SGS-04', ['PSU-ID']],
  ['SGS-05/unchecked', 'SGS-05', ['PSU-Corporate-ID']],
  ['TRN-02/answered-500-the-payload-is-a-json-object', 'TRN-02', ['body']],
  ['HDC-28/demanded', 'HDC-28', ['PSU-Geo-Location']],
  // By whose name it was signed is told of certificates that look alike, and of a header that is an encoded word.
  ['SGH-10/as-text', 'SGH-10', ['TPP-Signature-Certificate', 'Signature']],
  ['SGH-02/any-trusted', 'SGH-02', ['Signature']],
];

it.each(kinds)(
  '%s is shown by %s as one change next to a control that was taken',
  async (deviation, id, names) => {
    const { result, changed } = await shownBy(deviation, id);
    expect(result.verdict, result.reason).toBe('fail');
    expect(changed.map(({ name }) => name)).toEqual(names);
    for (const { sides } of changed) expect(sides).toBeDefined();
    expect(result.exchanges.map(({ purpose }) => purpose === 'control')).toEqual([true, false]);
    const signatures = changed.find(({ name }) => name === 'Signature')?.sides;
    if (id.startsWith('SGH')) expect(signatures?.failing).toMatch(/CA=CN=(?:Ås|\\C3\\85s) Test CA/);
  },
);

it.each([
  ['ACC-03/all-without-pending', 'ACC-21-all', /bookingStatus=all/, 'none'],
  ['SCA-19/unticked-for-companies', 'SCA-09-corporate', /\/v1\/sca\//, /the box of \d{11} without a tick/],
])('%s is shown by %s with the request that failed, and what was wrong in it', async (...row) => {
  const [deviation, id, url, actual] = row;
  const { result } = await shownBy(deviation, id);
  expect(tellingExchange(result)?.request.url).toMatch(url);
  expect(result.actual).toMatch(actual);
});

it('the amount at fault stands next to the same amount written right, and no optional field is left', async () => {
  const { result, changed } = await shownBy('AMT-02/unchecked', 'AMT-02-cross-border');
  const { control = '', failing = '' } = changed[0]?.sides ?? {};
  expect(failing.slice(0, -1).startsWith(control.slice(0, -1)), `${failing} ${control}`).toBe(true);
  expect(Object.keys(JSON.parse(result.counterexample?.value ?? '{}'))).toEqual([
    'instructedAmount',
    'creditorName',
    'creditorAccount',
    'debtorAccount',
    // A transfer of this size has to be reported.
    'regulatoryReportingCode',
    'regulatoryReportingInformation',
  ]);
});

it.each(['REM-04/one-shorter-single', 'REM-04/one-shorter-array'])(
  '%s is shown at a bank that takes no reference twice as well',
  async (deviation) => {
    const check = deviation.endsWith('single') ? 'REM-04-single-accepted' : 'REM-04-array-accepted';
    const { result } = await shownBy(deviation, check, dialectById.get('particular/references-once')?.apply);
    expect(result.verdict, result.reason).toBe('fail');
  },
);
