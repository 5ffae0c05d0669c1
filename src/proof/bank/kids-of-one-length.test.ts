import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { alsoRefusing, type DesignChange } from '../../bank/design/design-changes.ts';
import type { RunContext } from '../../checks/context.ts';
import { runChecks } from '../../checks/engine.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

/** A creditor has agreed with the bank on the length of its KIDs. */
const takesOneLength = (bban: string | undefined, length: number): DesignChange =>
  alsoRefusing(
    [products.domestic.creation],
    ({ body }) => {
      const references = ['remittanceInformationStructured', 'remittanceInformationStructuredArray']
        .flatMap((name) => memberAt(body, name) ?? [])
        .map((reference) => textAt(reference, 'reference') ?? '');
      return (
        textAt(body, 'creditorAccount', 'bban') === bban && references.some((kid) => kid.length !== length)
      );
    },
    400,
    'KID_INVALID',
  );

const agreed = 14;

/** What is said of such a bank, with the length in its target file or without it. */
async function judged(isTold: boolean) {
  const { checks, keys } = await proofSetup();
  const { runContext: usual } = await createBankRunContext(keys, compliantDesign);
  const { kidCreditor } = usual.target.accounts;
  const design = takesOneLength(kidCreditor?.bban, agreed)(compliantDesign);
  const { runContext } = await createBankRunContext(keys, design);
  const { target } = runContext;
  const accounts = {
    ...target.accounts,
    ...(kidCreditor !== undefined && isTold ? { kidCreditor: { ...kidCreditor, kidLength: agreed } } : {}),
  };
  const told: RunContext = { ...runContext, target: { ...target, accounts } };
  const results = await runChecks(citing(checks, 'ERR-02'), told);
  return results.map(({ id, verdict }) => `${id} ${verdict}`);
}

test('KIDs of a creditor that has agreed on their length are judged where the target file tells it', async () => {
  const results = await judged(true);
  expect(results).toEqual(results.map((result) => result.replace(/ .*/, ' pass')));
  expect(results).toContain('ERR-02 pass');
}, 60_000);

test('and are left open where it does not', async () => {
  expect(await judged(false)).toContain('ERR-02 inconclusive');
}, 60_000);
