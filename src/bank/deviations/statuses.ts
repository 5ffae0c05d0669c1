import { requirements } from '../../spec/catalogue.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { everyProduct } from '../../spec/products.ts';
import {
  type DesignChange,
  onRefusal,
  serves,
  withAnswering,
  withAnswers,
  withBodies,
  withRefusals,
  withStatus,
} from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { alsoAt, atPayments, type Deviation, deviation, inBody, inQuery, ruleOf } from './deviation.ts';
import { demandedRules } from './dropped-rules.ts';

/** Requirements whose status the specification fixes at 400. Characters are broken below, by statuses of their own. */
const fixed = requirements.filter(({ id, status }) => status === 400 && id !== 'TRN-06').map(({ id }) => id);

const nameOf = new Map(demandedRules.map(({ requirement, rule }) => [requirement, rule.name]));

const wrongRefusals: readonly Deviation[] = fixed.flatMap((requirement) => {
  const rules = new Set(
    demandedRules.filter((place) => place.requirement === requirement).map(({ rule }) => rule.name),
  );
  return [401, 403, 409, 422].map((status) =>
    deviation(
      `${requirement}/${status}-for-400`,
      `answers ${status} instead of 400 when this does not hold: ${nameOf.get(requirement) ?? requirement}`,
      withRefusals((rule) => rules.has(rule.name), { status }),
    ),
  );
});

/** Hides what it has from whoever has not signed, so that it looks as if it was not offered. */
const hidden: readonly Deviation[] = (
  [
    ['details', 'readPayment'],
    ['basket-deletion', 'deleteSigningBasket'],
    ['account', 'readAccount'],
    ['agreements', 'listAgreements'],
  ] as const
).map(([place, at]) =>
  deviation(
    `SIG-01/404-at-${place}`,
    `answers 404 to whoever has not signed (${place})`,
    withRefusals((rule, operation) => operation === at && serves(rule, 'SIG-01'), { status: 404 }),
  ),
);

/** Says that it is not available, whenever it would have to refuse. */
const outOfOrder: readonly Deviation[] = (
  [
    ['deletion', 'deletePayment'],
    ['basket-deletion', 'deleteSigningBasket'],
  ] as const
).map(([place, at]) =>
  deviation(
    `CLK-05/503-at-${place}`,
    `answers 503 to requests without Date (${place})`,
    withRefusals((rule, operation) => operation === at && serves(rule, 'CLK-05'), { status: 503 }),
  ),
);

/** The downstream system cannot process a character: 400, whatever else might fit. */
const unprocessable: readonly Deviation[] = [401, 415, 422, 500].flatMap((status) =>
  alsoAt(
    status === 422 ? atPayments : [],
    deviation(
      `TRN-06/${status}-for-400`,
      `answers ${status} to a character that it cannot process`,
      withRefusals(ruleOf('TRN-06'), { status }),
    ),
  ),
);

/** Of all texts of a payment one that few look at. */
const unprocessableTypes = deviation(
  'TRN-06/types-of-references',
  'answers 422 to a character that it cannot process in the type of a reference',
  onRefusal(ruleOf('TRN-06'), (fault, { body }) => {
    const [reference] = [memberAt(body, 'remittanceInformationStructuredArray')].flat();
    const isOdd = /[^\p{ASCII}]/u.test(textAt(reference, 'referenceType') ?? '');
    return isOdd ? { ...fault, status: 422 } : fault;
  }),
);

const creations = [
  ...everyProduct.map(({ requirements, creation }) => [requirements.created, creation] as const),
  ['BSK-10', 'createSigningBasket'],
] as const;

/** Faults of the TPP that the bank takes for its own. */
const ownFaults: readonly Deviation[] = [
  deviation(
    'ERR-06/long-names',
    'breaks down at names that are too long',
    withRefusals(ruleOf('NDC-11'), { status: 500, code: 'SYSTEM_ERROR' }),
  ),
];

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

/** Another status than the one that the specification fixes. */
/** Payments that are created all the same, and not answered so. */
const createdWith200: readonly (readonly [
  id: string,
  what: string,
  isMeant: (request: BankRequest) => boolean,
])[] = [
  ['with-purpose', 'with a purposeCode that it has created', inBody('purposeCode')],
  ['for-duplicate', 'whose like it may create again', inQuery('allowLogicalDuplicate', 'true')],
];

// biome-ignore format: a table
export const statusDeviations: readonly Deviation[] = [
  deviation('MSG-09/told-back', 'tells back the text that it refuses, however long', tellingBack),
  ...wrongRefusals,
  ...hidden,
  ...outOfOrder,
  ...unprocessable,
  unprocessableTypes,
  ...ownFaults,
  ...creations.flatMap(([requirement, operation]) =>
    [200, 202, 303].map((status) => deviation(`${requirement}/${status}-for-201`, `answers ${status} to what it has created`, withStatus([operation], status)))),
  ...(['one', 'several'] as const).map((size) =>
    deviation(`BSK-10/200-for-${size}`, `answers 200 to a basket of ${size === 'one' ? 'one payment' : 'several payments'}`,
      withAnswers(['createSigningBasket'], (answer, request) => {
        const ids = memberAt(request.body, 'paymentIds');
        const isOfSize = Array.isArray(ids) && ids.length > 1 === (size === 'several');
        return isOfSize && answer.status === 201 ? { ...answer, status: 200 } : answer;
      }))),
  ...everyProduct.flatMap(({ requirements, creation }) =>
    createdWith200.map(([id, what, isMeant]) =>
      deviation(`${requirements.created}/200-${id}`, `answers 200 to a payment ${what}`,
        withAnswers([creation], (answer, request) => answer.status === 201 && isMeant(request) ? { ...answer, status: 200 } : answer)))),
  ...([
    ['PST-04/rejected-by-another-name', 'has a word of its own for the status of rejected payments', 'RJCT', 'RJCR'],
    ['PST-04/pending-by-another-name', 'has a word of its own for the status of pending payments', 'PDNG', 'PNDG'],
    ['PST-04/unfunded-by-another-name', 'has a word of its own for payments that lack funds', 'ACCP', 'ACFC'],
    ['PST-02/missing-of-pending', 'tells no status of pending payments', 'PDNG', undefined],
  ] as const).map(([id, title, status, transactionStatus]) =>
    deviation(id, title, withBodies(['readPaymentStatus'], (body) => body['transactionStatus'] === status ? { ...body, transactionStatus } : undefined))),
  deviation('PST-05/text-of-unfunded', 'tells in words that funds are lacking',
    withBodies(['readPaymentStatus'], (body) => body['fundsAvailable'] === false ? { ...body, fundsAvailable: 'false' } : undefined)),
  {
    ...deviation(
      'ERR-03/empty-link',
      'asks for SCA with a link that leads nowhere',
      withAnswering(({ refusal: answerTo }) => ({
        refusal: (refusal) =>
          answerTo(
            refusal.links?.scaRedirect === undefined
              ? refusal
              : {
                  ...refusal,
                  links: { ...refusal.links, scaRedirect: { ...refusal.links.scaRedirect, href: '' } },
                },
          ),
      })),
    ),
    also: ['SCA-01'],
  },
  deviation('BSK-10/200-for-hundred', 'answers 200 to a basket of a hundred payments',
    withAnswers(['createSigningBasket'], (answer, { body }) => {
      const ids = memberAt(body, 'paymentIds');
      return Array.isArray(ids) && ids.length === 100 && answer.status === 201
        ? { ...answer, status: 200 }
        : answer;
    })),
  ...[201, 206].map((status) => deviation(`SBX-40/${status}-for-200`, `answers ${status} to a listing`, withStatus(['listSandboxCustomers'], status))),
];
