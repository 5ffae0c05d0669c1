import { requirements } from '../../spec/catalogue.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { everyProduct } from '../../spec/products.ts';
import {
  type DesignChange,
  instead,
  onRefusal,
  serves,
  withAnswering,
  withAnswers,
  withRefusals,
  withScaLinks,
  withStatus,
  writing,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import { sentIds } from './baskets.ts';
import { atPayments, breakdown, each, inBody, inQuery, ruleOf, table } from './deviation.ts';
import { demandedRules } from './dropped-rules.ts';

/** Requirements whose status the specification fixes at 400. Characters are broken below, by statuses of their own. */
const fixed = requirements
  .filter(({ id, status }) => status === 400 && id !== 'TRN-06')
  .map(({ id }) => {
    const places = demandedRules.filter(({ requirement }) => requirement === id);
    return [id, places.map(({ rule }) => rule.name)] as const;
  });

const refusalsAt = (operation: BankOperation, requirement: string, status: number): DesignChange =>
  withRefusals((rule, where) => where === operation && serves(rule, requirement), { status });

/** Messages that tell back what they object to. */
const tellingBack: DesignChange = withAnswering(({ finish }) => ({
  finish: (answer, request) => {
    const [message] = [memberAt(answer.body, 'tppMessages')].flat();
    const value = textAt(request?.body, ...(textAt(message, 'path') ?? '').split('.'));
    const told = { ...Object(message), text: `${textAt(message, 'text')} It was: ${value}` };
    const body = { ...Object(answer.body), tppMessages: [told] };
    return finish(value === undefined ? answer : { ...answer, body }, request);
  },
}));

const created = [
  ...everyProduct.map(({ requirements, creation }) => [requirements.created, creation] as const),
  ['BSK-10', 'createSigningBasket'],
] as const;

/** Some things are created all the same, and answered 200. */
const createdWith200 = (operation: BankOperation, isMeant: (request: BankRequest) => boolean): DesignChange =>
  withAnswers([operation], (answer, request) =>
    answer.status === 201 && isMeant(request) ? { ...answer, status: 200 } : answer,
  );

/** Another status than the one that the specification fixes. */
// biome-ignore format: a table
export const statusDeviations = table(
  ['MSG-09/told-back', 'tells back the text that it refuses, however long', tellingBack],
  each(fixed, (id, rules) => each([401, 403, 409, 422], (status) => [`${id}/${status}-for-400`, `answers ${status} instead of 400 when this does not hold: ${rules.at(-1) ?? id}`,
    withRefusals(({ name }) => rules.includes(name), { status })])),
  // Hides what it has from whoever has not signed, so that it looks as if it was not offered.
  each([['details', 'readPayment'], ['basket-deletion', 'deleteSigningBasket'], ['account', 'readAccount'], ['agreements', 'listAgreements']], (place, at) =>
    [`SIG-01/404-at-${place}`, `answers 404 to whoever has not signed (${place})`, refusalsAt(at, 'SIG-01', 404)]),
  // Says that it is not available, whenever it would have to refuse.
  each([['deletion', 'deletePayment'], ['basket-deletion', 'deleteSigningBasket']], (place, at) =>
    [`CLK-05/503-at-${place}`, `answers 503 to requests without Date (${place})`, refusalsAt(at, 'CLK-05', 503)]),
  // The downstream system cannot process a character: 400, whatever else might fit.
  each([401, 415, 422, 500], (status) => [`TRN-06/${status}-for-400`, `answers ${status} to a character that it cannot process`,
    withRefusals(ruleOf('TRN-06'), { status }), { alsoAt: status === 422 ? atPayments : [] }]),
  // Of all texts of a payment one that few look at.
  ['TRN-06/types-of-references', 'answers 422 to a character that it cannot process in the type of a reference',
    onRefusal(ruleOf('TRN-06'), (fault, { body }) => {
      const [reference] = [memberAt(body, 'remittanceInformationStructuredArray')].flat();
      return /[^\p{ASCII}]/u.test(textAt(reference, 'referenceType') ?? '') ? { ...fault, status: 422 } : fault;
    })],
  // A fault of the TPP that the bank takes for its own.
  ['ERR-06/long-names', 'breaks down at names that are too long', withRefusals(ruleOf('NDC-11'), breakdown)],
  each(created, (id, operation) => each([200, 202, 303], (status) => [`${id}/${status}-for-201`, `answers ${status} to what it has created`, withStatus([operation], status)])),
  each([
    ['one', 'one payment', (count: number) => count <= 1],
    ['several', 'several payments', (count: number) => count > 1],
    ['hundred', 'a hundred payments', (count: number) => count === 100],
  ], (size, what, isMeant) => [`BSK-10/200-for-${size}`, `answers 200 to a basket of ${what}`, createdWith200('createSigningBasket', (request) => isMeant(sentIds(request).length))]),
  each(everyProduct, ({ requirements, creation }) => table(
    [`${requirements.created}/200-with-purpose`, 'answers 200 to a payment with a purposeCode that it has created', createdWith200(creation, inBody('purposeCode'))],
    [`${requirements.created}/200-for-duplicate`, 'answers 200 to a payment whose like it may create again', createdWith200(creation, inQuery('allowLogicalDuplicate', 'true'))],
  )),
  each([
    ['PST-04/rejected-by-another-name', 'has a word of its own for the status of rejected payments', 'RJCT', 'RJCR'],
    ['PST-04/pending-by-another-name', 'has a word of its own for the status of pending payments', 'PDNG', 'PNDG'],
    ['PST-04/unfunded-by-another-name', 'has a word of its own for payments that lack funds', 'ACCP', 'ACFC'],
    ['PST-02/missing-of-pending', 'tells no status of pending payments', 'PDNG', undefined],
  ], (id, title, status, other) => [id, title, writing(['readPaymentStatus'], 'transactionStatus', instead(status, other))]),
  ['PST-05/text-of-unfunded', 'tells in words that funds are lacking', writing(['readPaymentStatus'], 'fundsAvailable', instead(false, 'false'))],
  ['ERR-03/empty-link', 'asks for SCA with a link that leads nowhere', withScaLinks(() => ''), { also: ['SCA-01'] }],
  each([201, 206], (status) => [`SBX-40/${status}-for-200`, `answers ${status} to a listing`, withStatus(['listSandboxCustomers'], status)]),
);
