import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { type Dimension, dimensions } from '../../src/checks/contexts.ts';
import { rejectedWith } from '../../src/checks/expectation.ts';
import { anOfferedRequest, type Subject } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { digestHeader } from '../../src/signing/digest.ts';
import { signingString } from '../../src/signing/signing-string.ts';
import { everyProduct } from '../../src/spec/products.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import type { RequestDraft } from '../../src/tpp/signing-plan.ts';
import { suffixes } from '../id-suffixes.ts';
import { everyRequest, initiations, type NamedSubject, payments, sandbox } from '../subjects.ts';
import { aCorporateBasket, aCorporatePayment, theCorporateAccounts } from './corporate-requests.ts';
import { requestIdAsSent } from './request-id-as-sent.ts';
import { listedAndAbsent, otherJoints, otherLines, stands } from './signing-texts.ts';

/**
 * What is not varied where a header is changed: a bank that puts in the digest that it has computed itself does so by one
 * algorithm, and one that leaves out the query of an address does not miss a second.
 */
const dimensionsOf: Readonly<Record<string, readonly Dimension[]>> = {
  Digest: ['digest'],
  'TPP-Redirect-URI': ['redirect'],
};

/** A header that changed after signing: the same customer and target, and yet another text. */
const changedAfterSigning = (
  id: string,
  header: string,
  subjects: readonly Pick<NamedSubject, 'suffix' | 'of'>[],
  change: (value: string, draft: RequestDraft) => string,
  request?: Variation,
) =>
  subjects.map(({ suffix, of }) => {
    const changed = (draft: RequestDraft): void =>
      draft.headers.set(header, change(draft.headers.get(header) ?? '', draft));
    return refuses({
      id: `${id}${suffix}`,
      requirement: id,
      title: `${of.title} whose ${header} changed after signing is rejected with 400`,
      of,
      twists: [
        {
          label: `${header} changed after signing`,
          request: request ?? { afterSigning: changed },
          // A bank may know neither this customer nor this address, and look there first.
          controlVariation: { beforeSigning: changed },
        },
      ],
      expected: rejectedWith(400),
      fixed: dimensionsOf[header] ?? [],
      cases: 1,
    });
  });

/** The listing has Date and X-Request-ID alone; elsewhere another does, which lacks PSU-Corporate-ID. */
const fewestCandidates = ({ target }: CheckContext): Subject =>
  target.profiles.includes('sandbox') ? sandbox.of : anOfferedRequest;
const withFewCandidates: Subject = {
  title: 'a request without some of the candidate headers',
  bodies: (context) => fewestCandidates(context).bodies(context),
  call: (context, body) => fewestCandidates(context).call(context, body),
};

/** Requests that name a PSU, and say where the PSU is sent after SCA. */
const namingThePsu = everyRequest.filter(({ suffix }) => suffix !== sandbox.suffix);

const secondsLater = (date: string): string => new Date(Date.parse(date) + 2000).toUTCString();

const otherCase = (id: string): string => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase());
const hasNoCase = (id: string): boolean => id.toLowerCase() === id.toUpperCase();
const nextTo = (id: string): string => id.replace(/\d(?=\D*$)/, (digit) => String(9 - Number(digit)));

/** An id of digits alone has no other case: the customer's own is sent then, and the one next to it was signed. */
const idChanged = (header: string): Variation => ({
  beforeSigning: ({ headers }) => {
    const id = headers.get(header);
    if (id !== undefined && hasNoCase(id)) headers.set(header, nextTo(id));
  },
  afterSigning: ({ headers }) => {
    const id = headers.get(header) ?? '';
    headers.set(header, hasNoCase(id) ? nextTo(id) : otherCase(id));
  },
});
const otherRequestId = (): string => crypto.randomUUID();
const withQuery = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}changed=1`;

const ordered = (covered: (names: readonly string[]) => readonly string[]): Pick<Twist, 'request'> => ({
  request: { signing: { covered } },
});

const corporatePayments = everyProduct.map((product) => ({
  suffix: product.suffix,
  of: aCorporatePayment(product),
}));

/** Payments show it in every context. */
const otherCorporateRequests: readonly Unsigned[] = [
  { suffix: suffixes.basket, of: aCorporateBasket, fixed: dimensions },
  { suffix: suffixes.accounts, of: theCorporateAccounts, fixed: dimensions },
];

interface Unsigned extends Pick<NamedSubject, 'suffix' | 'of'> {
  readonly fixed?: readonly Dimension[];
}

const unsigned = (
  id: string,
  header: string,
  subjects: readonly Unsigned[],
  needs: readonly Capability[] = [],
) =>
  subjects.map(({ suffix, of, fixed = [] }) =>
    refuses({
      id: `${id}${suffix}`,
      requirement: 'SGS-08',
      title: `${of.title} whose ${header} is not signed is refused`,
      levelUnder: ({ unsignedCandidates }) => (unsignedCandidates === 'all' ? 'must' : 'advisory'),
      of,
      needs,
      twists: [
        {
          label: `${header} is not among the signed headers`,
          request: { signing: { covered: (present) => present.filter((name) => name !== header) } },
        },
      ],
      fixed,
      cases: 1,
    }),
  );

const withOtherMethod = (target: string | undefined): string | undefined =>
  target?.replace(/^\w+/, (method) => (method === 'get' ? 'post' : 'get'));

/** The line ends where the query begins, which anybody on the way could change then. */
const signedWithout = (query: Readonly<Record<string, string>>): Twist => ({
  label: 'the (request-target) that was signed lacks the query of the target',
  call: (call) => ({ ...call, query }),
  request: {
    signing: {
      covered: (names) => ['(request-target)', ...names],
      text: (names, valueFor) =>
        signingString(names, (name) =>
          name === '(request-target)' ? valueFor(name)?.replace(/\?.*$/, '') : valueFor(name),
        ),
    },
  },
  isOneOfMany: true,
});

export default suite(
  'Signing string',
  section('Authentication', 'Signature header', 'Signing string'),
  () => [
    changedAfterSigning('SGS-01', 'Date', everyRequest, secondsLater),
    changedAfterSigning('SGS-02', 'Digest', payments, (digest, { body }) =>
      digestHeader(body ?? Buffer.alloc(0), digest.startsWith('SHA-512') ? 'SHA-256' : 'SHA-512'),
    ),
    changedAfterSigning('SGS-03', 'X-Request-ID', everyRequest, otherRequestId),
    changedAfterSigning('SGS-04', 'PSU-ID', namingThePsu, otherCase, idChanged('PSU-ID')),
    [...corporatePayments, ...otherCorporateRequests].map(({ suffix, of, fixed = [] }: Unsigned) =>
      refuses({
        id: `SGS-05${suffix}`,
        requirement: 'SGS-05',
        title: `${of.title} whose PSU-Corporate-ID changed after signing is rejected with 400`,
        of,
        needs: ['corporate-psu'],
        twists: [
          {
            label: 'PSU-Corporate-ID changed after signing',
            request: idChanged('PSU-Corporate-ID'),
          },
        ],
        expected: rejectedWith(400),
        fixed,
        cases: 1,
      }),
    ),
    changedAfterSigning('SGS-06', 'TPP-Redirect-URI', namingThePsu, withQuery),
    payments.map(({ suffix, of }) =>
      refuses({
        id: `SGS-07${suffix}`,
        requirement: 'SGS-07',
        title: `${of.title} whose Digest is not signed is refused`,
        of,
        twists: [
          {
            label: 'digest is not among the signed headers',
            request: { signing: { covered: (present) => present.filter((name) => name !== 'digest') } },
          },
        ],
        cases: 1,
      }),
    ),
    unsigned('SGS-08-date', 'date', everyRequest),
    unsigned('SGS-08-x-request-id', 'x-request-id', everyRequest),
    unsigned('SGS-08-psu-id', 'psu-id', initiations),
    unsigned(
      'SGS-08-psu-corporate-id',
      'psu-corporate-id',
      [...corporatePayments, ...otherCorporateRequests],
      ['corporate-psu'],
    ),
    unsigned('SGS-08-tpp-redirect-uri', 'tpp-redirect-uri', initiations),
    everyRequest.map(({ suffix, of }) =>
      refuses({
        id: `SGS-09${suffix}`,
        requirement: 'SGS-09',
        title: `${of.title} whose signature lists a header that the request lacks is rejected with 400`,
        of,
        twists: listedAndAbsent,
        // A company's request has the header.
        fixed: ['psu'],
        expected: rejectedWith(400),
        cases: stands.length,
      }),
    ),
    everyRequest.map(({ suffix, of }) =>
      accepts({
        id: `SGS-10${suffix}`,
        requirement: 'SGS-10',
        title: `${of.title} is accepted in whichever order its headers are signed`,
        of,
        twists: [
          { label: 'the signed headers stand in reverse order', ...ordered((names) => names.toReversed()) },
          {
            label: 'the signed headers stand in alphabetical order',
            ...ordered((names) => names.toSorted()),
          },
        ],
        cases: 2,
      }),
    ),
    everyRequest.map(({ suffix, of }) =>
      refuses({
        id: `SGS-11${suffix}`,
        requirement: 'SGS-11',
        title: `${of.title} whose signing string has another order than its headers part is rejected with 400`,
        of,
        twists: [
          {
            label: 'the headers part lists the names in reverse',
            request: { signing: { parts: (parts) => ({ ...parts, headers: parts.headers.toReversed() }) } },
          },
        ],
        expected: rejectedWith(400),
        cases: 1,
      }),
    ),
    everyRequest.map(({ suffix, of, query }) =>
      accepts({
        id: `SGS-12${suffix}`,
        requirement: 'SGS-12',
        title: `${of.title} whose signature covers (request-target) as well is accepted`,
        levelUnder: ({ requestTarget }) => (requestTarget === 'accepted' ? 'must' : undefined),
        of,
        twists: [
          {
            label: '(request-target) is signed first',
            request: { signing: { covered: (names) => ['(request-target)', ...names] } },
          },
          ...(query === undefined
            ? []
            : [
                {
                  label: '(request-target) is signed, and the target has a query',
                  call: (call: Call): Call => ({ ...call, query }),
                  request: {
                    signing: { covered: (names: readonly string[]) => ['(request-target)', ...names] },
                  },
                },
              ]),
        ],
        cases: 1,
      }),
    ),
    everyRequest.map(({ suffix, of, query }) =>
      refuses({
        id: `SGS-13${suffix}`,
        requirement: 'SGS-13',
        title: `${of.title} whose (request-target) line names another target is rejected with 400`,
        levelUnder: ({ requestTarget }) => (requestTarget === 'accepted' ? 'must' : undefined),
        of,
        twists: [
          {
            label: 'the (request-target) that was signed is another',
            request: {
              signing: {
                covered: (names) => ['(request-target)', ...names],
                text: (names, valueFor) =>
                  signingString(names, (name) =>
                    name === '(request-target)' ? 'get /v1/elsewhere' : valueFor(name),
                  ),
              },
            },
          },
          {
            label: 'the method of the (request-target) that was signed is another',
            request: {
              signing: {
                covered: (names) => ['(request-target)', ...names],
                text: (names, valueFor) =>
                  signingString(names, (name) =>
                    name === '(request-target)' ? withOtherMethod(valueFor(name)) : valueFor(name),
                  ),
              },
            },
          },
          ...(query === undefined ? [] : [signedWithout(query)]),
        ],
        expected: rejectedWith(400),
        cases: 1,
      }),
    ),
    everyRequest.map(({ suffix, of, sharesList }) =>
      refuses({
        id: `SGS-14${suffix}`,
        requirement: 'SGS-14',
        title: `${of.title} whose signing string is joined by anything but a newline is rejected with 400`,
        of,
        twists: [
          {
            label: 'the lines are joined by carriage return and newline',
            request: { signing: { text: (...lines) => signingString(...lines).replaceAll('\n', '\r\n') } },
          },
          {
            label: 'a newline stands at the end',
            request: { signing: { text: (...lines) => `${signingString(...lines)}\n` } },
          },
          {
            label: 'the lines are joined by nothing',
            request: { signing: { text: (...lines) => signingString(...lines).replaceAll('\n', '') } },
          },
          ...otherJoints,
        ],
        sharesList,
        expected: rejectedWith(400),
        cases: 3,
      }),
    ),
    everyRequest.map(({ suffix, of, sharesList }) =>
      refuses({
        id: `SGS-15${suffix}`,
        requirement: 'SGS-15',
        title: `${of.title} whose signing string has lines of another form than name, colon, space and value is rejected with 400`,
        of,
        twists: [
          {
            label: 'no space stands after the colons',
            request: {
              signing: { text: (...lines) => signingString(...lines).replace(/^([a-z-]+): /gm, '$1:') },
            },
          },
          {
            label: 'the names are in upper case',
            request: {
              signing: {
                text: (...lines) =>
                  signingString(...lines).replace(/^[a-z-]+(?=: )/gm, (name) => name.toUpperCase()),
              },
            },
          },
          {
            label: 'the values stand without names',
            request: { signing: { text: (...lines) => signingString(...lines).replace(/^[a-z-]+: /gm, '') } },
          },
          ...otherLines,
        ],
        sharesList,
        expected: rejectedWith(400),
        cases: 3,
      }),
    ),
    requestIdAsSent,
    accepts({
      id: 'SGS-16',
      requirement: 'SGS-16',
      title: 'a request signs only the candidate headers that it has',
      of: withFewCandidates,
      control: 'none',
      twists: [{ label: 'not every candidate header is there to be signed' }],
      cases: 1,
    }),
  ],
);
