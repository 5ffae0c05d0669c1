import { randomUUID } from 'node:crypto';
import { withBody } from '../../src/checks/call-body.ts';
import { type Check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { dimensions } from '../../src/checks/contexts.ts';
import { refused, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { aPayment, type Subject } from '../../src/checks/subject.ts';
import { refuses, type Twist } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { faultsOf } from '../../src/payloads/body-faults.ts';
import { toAccountWithoutIban } from '../../src/payloads/cross-border-payments.ts';
import { removeAt, setAt } from '../../src/payloads/json.ts';
import { referencesOf } from '../../src/payloads/kid.ts';
import { digestHeader } from '../../src/signing/digest.ts';
import { formatKeyId } from '../../src/signing/signature-header.ts';
import { demandsOf, type FacetName, pathText } from '../../src/spec/field.ts';
import { headerRequirement } from '../../src/spec/headers.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { limits } from '../../src/spec/limits.ts';
import { everyProduct, type Product, type ProductName } from '../../src/spec/products.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import { nearTo } from '../near-ids.ts';
import { amount } from '../payments/amount-twists.ts';
import { areCertificatesJudged } from '../signing/certificate-trust.ts';
import { timeAtBank } from '../signing/dates.ts';
import { keyed } from '../signing/key-ids.ts';
import { flippingOneBit } from '../signing/signature-faults.ts';
import { namedByIdentity } from './psu-identity.ts';

/**
 * A payment whose PSU is named by X-PSU-IDENTITY: a way of its own through many banks, on which their other rules are
 * easily forgotten. It is sent in the session of the run, so that it ends none.
 */
const paidByIdentity = (product: Product): Subject => {
  const of = aPayment(product);
  return {
    ...of,
    title: `${of.title} of a PSU named by X-PSU-IDENTITY`,
    call: async (context, body) => ({ ...(await of.call(context, body)), psu: namedByIdentity(context) }),
  };
};

/** One of each kind: each rule by itself is judged elsewhere, in more ways. */
interface NamedFault {
  readonly requirement: string;
  readonly twist: Twist;
}

const isRequired: Readonly<Record<string, (readings: Readings) => boolean>> = {
  'x-accept-fix': ({ acceptFix }) => acceptFix !== 'optional',
  'PSU-IP-Address': ({ psuIpAddress }) => psuIpAddress === 'required-on-initiation',
};

const withoutHeader = ({ name }: Product, header: string): NamedFault => {
  const under = isRequired[header];
  return {
    requirement: headerRequirement(name, header),
    twist: {
      label: `${header} is missing`,
      points: header,
      ...(under === undefined ? {} : { under }),
      request:
        header === 'Digest'
          ? { signing: { digest: () => undefined } }
          : { beforeSigning: ({ headers }) => headers.remove(header) },
    },
  };
};

const signing: readonly NamedFault[] = [
  {
    requirement: 'SIG-01',
    twist: { label: 'Signature is missing', request: { signing: { format: () => undefined } } },
  },
  {
    requirement: 'SIG-02',
    twist: { label: 'the signature does not verify', request: { signing: { parts: flippingOneBit } } },
  },
  {
    requirement: 'DIG-03',
    twist: {
      label: 'the Digest is that of another body',
      request: { signing: { digest: () => digestHeader(Buffer.from('{}')) } },
    },
  },
  {
    requirement: 'CLK-03',
    twist: {
      label: 'the Date is an hour old',
      request: ({ client }) => ({
        beforeSigning: ({ headers }) =>
          headers.set('Date', new Date(client.clock.now().getTime() - 3_600_000).toUTCString()),
      }),
    },
  },
  {
    requirement: 'CLK-04',
    twist: {
      label: 'the Date is an hour ahead',
      request: ({ client }) => ({
        beforeSigning: ({ headers }) =>
          headers.set('Date', new Date(client.clock.now().getTime() + 3_600_000).toUTCString()),
      }),
    },
  },
  {
    requirement: 'SGH-01',
    twist: {
      ...keyed('SN is the serial number of another certificate', ({ serialNumber, issuer }) =>
        formatKeyId({ serialNumber: nearTo(serialNumber), issuer }),
      ),
      under: ({ signatureForm }) => signatureForm === 'key-id',
    },
  },
  {
    requirement: 'SGS-03',
    twist: {
      label: 'X-Request-ID is changed after signing',
      request: { afterSigning: ({ headers }) => headers.set('X-Request-ID', randomUUID()) },
    },
  },
  {
    requirement: 'CRT-01',
    twist: {
      label: 'the certificate comes from an authority that nobody has heard of',
      under: areCertificatesJudged,
      request: async ({ target }) => ({ signing: { identity: await target.identities.unknownTpp() } }),
    },
  },
  {
    requirement: 'CRT-02',
    twist: {
      label: 'the certificate has expired',
      under: (readings, { identities }) =>
        areCertificatesJudged(readings) && identities.expired !== undefined,
      request: async (context) => {
        const identity = await context.target.identities.expired?.(timeAtBank(context));
        return identity === undefined ? {} : { signing: { identity } };
      },
    },
  },
  {
    requirement: 'CRT-04',
    twist: {
      label: 'the certificate lacks the PISP role',
      under: (readings, { identities }) =>
        areCertificatesJudged(readings) && identities.aispOnly !== undefined,
      request: async ({ target: { identities } }) => {
        const identity = await identities.aispOnly?.();
        return identity === undefined ? {} : { signing: { identity } };
      },
    },
  },
];

const ofField = ({ table }: Product, path: string, facet: FacetName): readonly NamedFault[] =>
  demandsOf(table)
    .filter((demand) => pathText(demand.path) === path && demand.facet === facet)
    .flatMap((demand) => faultsOf(demand).slice(0, 1))
    .map(({ requirement, label, apply }) => ({ requirement, twist: { label, points: path, body: apply } }));

const ofBody = (product: Product): readonly NamedFault[] => [
  ...ofField(product, 'creditorName', 'required'),
  ...ofField(product, 'creditorName', 'maxLength'),
  ...ofField(product, 'debtorAccount', 'required'),
  ...ofField(product, 'instructedAmount.currency', 'values'),
  ...ofField(product, 'creditorAccount', 'required'),
  ...ofField(product, 'creditorAddress.country', 'values'),
  ...ofField(product, 'purposeCode', 'values'),
  ...ofField(product, 'requestedExecutionDate', 'format'),
  {
    requirement: 'AMT-06',
    twist: amount('the amount in NOK is negative', 'NOK', (minor) => `-${decimal(minor, 2)}`),
  },
  {
    requirement: 'AMT-02',
    twist: amount('the amount in NOK has three fraction digits', 'NOK', (minor) =>
      decimal(minor * 10 + 1, 3),
    ),
  },
  ...(combinations[product.name] ?? []),
];

const withoutReport = (requirement: string, field: string): NamedFault => ({
  requirement,
  twist: {
    label: `${field} is missing above NOK 100 000`,
    points: field,
    call: (call, { amounts }) =>
      withBody(call, (body) =>
        setAt(removeAt(body, [field]), ['instructedAmount'], {
          amount: decimal(limits.regulatoryReportingFromOere + amounts.nextMinor('NOK'), 2),
          currency: 'NOK',
        }),
      ),
  },
});

/** What fields demand of each other. */
const combinations: Readonly<Partial<Record<ProductName, readonly NamedFault[]>>> = {
  domestic: [
    {
      requirement: 'NDC-61',
      twist: {
        label: 'debtorAccount has neither bban nor other',
        points: 'debtorAccount',
        body: (body) => removeAt(removeAt(body, ['debtorAccount', 'bban']), ['debtorAccount', 'other']),
      },
    },
    {
      requirement: 'NDC-63',
      twist: {
        label: 'remittanceInformationUnstructured and remittanceInformationStructuredArray are both set',
        points: 'remittanceInformation',
        body: (body) =>
          setAt(
            setAt(body, ['remittanceInformationUnstructured'], 'Invoice'),
            ['remittanceInformationStructuredArray'],
            referencesOf(body['instructedAmount'], 1),
          ),
      },
    },
  ],
  crossBorder: [
    withoutReport('REG-01', 'regulatoryReportingCode'),
    withoutReport('REG-02', 'regulatoryReportingInformation'),
    {
      requirement: 'NCB-64',
      twist: {
        label: 'creditorAgent is missing next to a BBAN',
        points: 'creditorAgent',
        under: (_, target) => missingCapability(target, 'foreign-bban') === undefined,
        call: (call, { facts }) =>
          withBody(call, (body) => removeAt(toAccountWithoutIban(body, facts), ['creditorAgent'])),
      },
    },
  ],
};

/** Alone: as soon as one more thing is unusual about the payment, a bank may refuse it for that. */
const inOneContext = { needs: ['personal-number'], fixed: dimensions, cases: 1 } as const;

const isJudged = ({ psuIdentification }: Readings) =>
  psuIdentification === 'one-of-them' ? ('must' as const) : undefined;

function faultsIn(product: Product): Check {
  const faults = [
    ...['x-accept-fix', 'X-Request-ID', 'TPP-Redirect-URI', 'Digest', 'PSU-IP-Address'].map((header) =>
      withoutHeader(product, header),
    ),
    ...signing,
    ...ofBody(product),
  ];
  const of = paidByIdentity(product);
  const made = refuses({
    id: `SCA-12-faults${product.suffix}`,
    requirement: 'SCA-12',
    others: faults.map(({ requirement }) => requirement),
    title: `${of.title} is held to the same rules as every other`,
    levelUnder: isJudged,
    of,
    twists: faults.map(({ requirement, twist }) => ({ ...twist, requirement })),
    expected: refused(),
    ...inOneContext,
  });
  return {
    ...made,
    isOnlyMeantByName: true,
    run: (context) =>
      made.run(context).catch((error: unknown) => {
        if (error instanceof Inconclusive && asksForScaFirst(context))
          throw new NotApplicable(
            'The bank asks a PSU who is named by X-PSU-IDENTITY for SCA before it looks at the payment, so that nothing shows of its rules there.',
          );
        throw error;
      }),
  };
}

/** Payments that need SCA may be answered 401 with its link, and then by the PSU-ID that comes of it. */
const asksForScaFirst = ({ exchanges }: CheckContext): boolean =>
  exchanges.some(({ purpose, response }) => purpose === 'control' && response?.status === 401);

function sessionIn(product: Product): Check {
  const { requirement, twist } = withoutHeader(product, 'TPP-Session-ID');
  const of = paidByIdentity(product);
  return refuses({
    id: `SCA-12-session${product.suffix}`,
    requirement: 'SCA-12',
    others: [requirement],
    title: `${of.title} is refused, or asks for SCA, without TPP-Session-ID`,
    levelUnder: isJudged,
    of,
    twists: [{ ...twist, requirement }],
    expected: refusedOrAskedForSca(),
    ...inOneContext,
  });
}

export default suite(
  'Payments of a PSU named by X-PSU-IDENTITY',
  section('Endpoints', 'Common request headers'),
  () => everyProduct.map((product) => [faultsIn(product), sessionIn(product)]),
);
