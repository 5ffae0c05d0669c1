import { headerRequirement } from '../../spec/headers.ts';
import { textAt } from '../../spec/json.ts';
import { creations, everyProduct, fieldRequirement, type Product, products } from '../../spec/products.ts';
import { allOf, type DesignChange, withAnswers } from '../design/design-changes.ts';
import { at, both, demandedBy, each, inHeader, not, refusing, table } from './deviation.ts';
import { trustsPsuWhen } from './dropped-rules.ts';
import { afterFlows, elsewhere, replacing, withAnother, without } from './redirect-changes.ts';

/** The PSU is named by X-PSU-IDENTITY in place of PSU-ID. */
export const isNamedByIdentity = both(not(inHeader('psu-id')), inHeader('x-psu-identity'));

const sessionless = trustsPsuWhen(both(isNamedByIdentity, not(inHeader('tpp-session-id'))));

/** Rules that are forgotten on the way of single-SCA initiation, where the PSU has no PSU-ID yet. */
// biome-ignore format: a table
const forgotten = (product: Product): readonly (readonly [requirement: string, title: string, more?: DesignChange])[] => [
  ...['x-accept-fix', 'X-Request-ID', 'TPP-Redirect-URI', 'Digest', 'PSU-IP-Address'].map(
    (header) => [headerRequirement(product.name, header), `does not demand ${header}`] as const,
  ),
  [headerRequirement(product.name, 'TPP-Session-ID'), 'does not demand TPP-Session-ID', sessionless],
  ['SIG-02', 'does not verify signatures'],
  ['DIG-03', 'does not compare the Digest with the body'],
  ['CLK-03', 'takes any Date of the past'],
  ['SIG-01', 'wants no signature'],
  ['CLK-04', 'takes any Date to come'],
  ['SGH-01', 'takes any serial number'],
  ['CRT-01', 'trusts every authority'],
  ['CRT-02', 'takes expired certificates'],
  ['CRT-04', 'demands no role'],
  [fieldRequirement(product, 'creditorName', 'required'), 'does not demand creditorName'],
  [fieldRequirement(product, 'creditorName', 'maxLength'), 'takes a creditorName of any length'],
  [fieldRequirement(product, 'instructedAmount.currency', 'values'), 'takes unknown currencies'],
  ['AMT-02', 'takes amounts with too many fraction digits'],
  ['AMT-06', 'takes negative amounts'],
  [fieldRequirement(product, 'creditorAccount', 'required'), 'does not demand creditorAccount'],
  [fieldRequirement(product, 'creditorAddress.country', 'values'), 'takes unknown countries'],
  [fieldRequirement(product, 'purposeCode', 'values'), 'takes unknown purposes'],
  [fieldRequirement(product, 'requestedExecutionDate', 'format'), 'takes any date'],
  ...(product === products.crossBorder
    ? ([
        ['REG-01', 'does not demand regulatoryReportingCode'],
        ['REG-02', 'does not demand regulatoryReportingInformation'],
        ['NCB-64', 'does not demand creditorAgent next to a BBAN'],
      ] as const)
    : ([
        ['NDC-61', 'takes a debtorAccount without any number'],
        ['NDC-63', 'takes a text next to references'],
      ] as const)),
];

/** A change that knows something of the answers to payments whose PSU was named by X-PSU-IDENTITY. */
export const knowingNamed =
  (
    told: (body: unknown) => string | undefined,
    change: (isTold: (text: string | undefined) => boolean) => DesignChange,
  ): DesignChange =>
  (design) => {
    const known = new Set<string>();
    const noting = withAnswers(creations, (answer, request) => {
      if (isNamedByIdentity(request)) known.add(told(answer.body) ?? '');
      return answer;
    });
    return allOf(
      noting,
      change((text) => known.has(text ?? '')),
    )(design);
  };

/** The redirect after the SCA that such a payment asked for, changed. */
const afterSingleSca = (change: (address: string) => string): DesignChange =>
  knowingNamed(
    (body) => textAt(body, '_links', 'scaRedirect', 'href')?.split('/').at(-1),
    (isTold) => afterFlows(({ id }) => isTold(id), change),
  );

/** Whose it is was not kept with it, so that it is taken for anybody's. */
const ownedByNobody: DesignChange = withAnswers(creations, (answer, request, { payments }) => {
  const payment = payments.get(textAt(answer.body, 'paymentId') ?? '');
  if (payment !== undefined && isNamedByIdentity(request))
    payments.update({ ...payment, customerId: undefined });
  return answer;
});

// biome-ignore format: a table
export const singleScaDeviations = table(
  ['OWN-02/named-by-identity', 'shows another PSU the payment of one who was named by X-PSU-IDENTITY', ownedByNobody],
  [`${headerRequirement('basket', 'PSU-ID')}/by-identity`, 'takes X-PSU-IDENTITY in place of PSU-ID for baskets as well', { overlook: isNamedByIdentity }],
  each(everyProduct, (product) => each(forgotten(product), (id, title, more = allOf()) => [`${id}/overlooked-when-named-at-${product.word}`, `${title} of a PSU who is named by X-PSU-IDENTITY (${product.word})`,
    [{ overlook: both(at(product.creation), isNamedByIdentity), rules: demandedBy }, more]])),
  each([
    ['RDR-01', 'psu-id', 'passed'], ['RDR-02', 'tpp-session-id', 'passed'], ['RDR-03', 'context', 'passed'],
    ['RDF-02', 'status', 'cancelled'], ['RDF-03', 'code', 'cancelled'], ['RDF-04', 'message', 'cancelled'],
  ], (id, name, outcome) => [`${id}/missing-after-single-sca`, `leaves ${name} out of the redirect when SCA was ${outcome} by a PSU who was named by X-PSU-IDENTITY`, afterSingleSca(without(name))]),
  ['RDR-05/corporate-after-single-sca', 'tells CORPORATE after the SCA of a person who was named by X-PSU-IDENTITY', afterSingleSca(replacing('context=PRIVATE', 'context=CORPORATE'))],
  ['SCA-03/elsewhere-after-single-sca', 'sends a PSU who was named by X-PSU-IDENTITY to an address of its own after SCA', afterSingleSca(elsewhere)],
  ['SCA-04/another-after-single-sca', 'gives a PSU who was named by X-PSU-IDENTITY another psu-id', afterSingleSca(withAnother('psu-id'))],
  ['PST-01/not-of-named', 'does not know the payment of a PSU who was named by X-PSU-IDENTITY by the PSU-ID that came of it',
    knowingNamed((body) => textAt(body, 'paymentId'), (isTold) =>
      refusing('PST-01', ['readPaymentStatus'], ({ params }) => isTold(params.paymentId), { status: 404, code: 'RESOURCE_UNKNOWN' }))],
);
