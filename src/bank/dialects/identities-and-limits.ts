import { daysBefore, isoDate } from '../../spec/days.ts';
import { isObject } from '../../spec/json.ts';
import { initiations, isCreation } from '../../spec/products.ts';
import { changedRequest } from '../design/changed-request.ts';
import {
  type DesignChange,
  onPages,
  withAnswers,
  withoutRules,
  withRules,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest, Rule } from '../design/route.ts';
import { isAttended } from '../rules/psu-rules.ts';
import { identifyPsu, lacksCorporateId, tppIdOf } from '../sca/identify-psu.ts';
import { type Dialect, declaring, dialect, hiding, independent } from './dialect.ts';

/** A PSU-ID that the bank did not give to the TPP is refused for good: SCA would yield another one. */
const forbidsUnknownPsus: DesignChange = withRules((_, rules) =>
  rules.map((rule) => ({
    ...rule,
    refuses: (request, state) => {
      const refusal = rule.refuses(request, state);
      const isUnknown = request.header('psu-id') !== undefined && identifyPsu(request, state) === undefined;
      if (refusal?.links?.scaRedirect === undefined || !isUnknown) return refusal;
      return { status: 403, code: 'PSU_CREDENTIALS_INVALID', text: 'The PSU-ID is not known.' };
    },
  })),
);

/** Reading that the bank refuses by its own choice when the PSU is not present. */
const refusingAlone = (
  operations: readonly BankOperation[],
  isRefused: (request: BankRequest, today: Date) => boolean,
): DesignChange =>
  withRules((operation, rules) =>
    operations.includes(operation)
      ? [
          ...rules,
          {
            requirement: 'ERR-06',
            ownChoice: true,
            name: 'a choice of this bank',
            refuses: (request, { clock }) =>
              !isAttended(request) && isRefused(request, clock.now())
                ? { status: 403, code: 'FORBIDDEN', text: 'Not without the PSU.' }
                : undefined,
          },
        ]
      : rules,
  );

/** SCA may be required on any transaction: of so many payments one is asked for it, whatever else is right or wrong. */
const everySoOften = 9;

const asksNowAndThen: DesignChange = (design) => {
  let count = 0;
  // The same payment is not asked for twice: the PSU has been there, or does not want to.
  const asked = new Set<string>();
  return asksWhere((request) => {
    const sent = request.bytes.toString('utf8');
    if (asked.has(sent)) return false;
    count += 1;
    if (count % everySoOften === 0) asked.add(sent);
    return count % everySoOften === 0;
  })(design);
};

/** Whoever pays from a program that is not the usual one might be somebody else. */
const asksOtherClients: DesignChange = (design) => {
  let usual: string | undefined;
  return asksWhere((request) => {
    const client = request.header('user-agent');
    usual ??= client;
    return client !== usual;
  })(design);
};

const asksWhere = (isAsked: (request: BankRequest) => boolean): DesignChange => {
  const now: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    hasEffects: true,
    name: 'this bank asks for SCA now and then',
    refuses: (request, state) =>
      isAsked(request)
        ? {
            status: 401,
            code: 'SCA_EXPIRED',
            text: 'Please pass SCA once more.',
            links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
          }
        : undefined,
  };
  // Once it knows who asks, and before it looks at what is asked for.
  return withRules((operation, rules) =>
    isCreation(operation)
      ? rules.toSpliced(
          rules.findIndex(({ requirement }) => requirement === 'TRN-01'),
          0,
          now,
        )
      : rules,
  );
};

/** SCA may be required on any transaction: here once in each session, for each of these operations. */
const asksBefore =
  (
    operations: readonly BankOperation[],
    isAsked: (request: BankRequest) => boolean = () => true,
  ): DesignChange =>
  (design) => {
    const asked = new Set<string>();
    return withRules((operation, rules) =>
      operations.includes(operation)
        ? [
            ...rules,
            {
              requirement: 'ERR-06',
              ownChoice: true,
              hasEffects: true,
              name: 'this bank asks for SCA once more',
              refuses: (request, state) => {
                const who = ['psu-id', 'tpp-session-id'].map((name) => request.header(name));
                const transaction = [operation, ...who].join(' ');
                if (!isAsked(request) || asked.has(transaction)) return undefined;
                asked.add(transaction);
                return {
                  status: 401,
                  code: 'SCA_EXPIRED',
                  text: 'Please pass SCA once more.',
                  links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
                };
              },
            },
          ]
        : rules,
    )(design);
  };

/** Who is named by X-PSU-IDENTITY passes SCA first, whatever the payment is; the TPP comes back with the PSU-ID. */
const namedOnesFirst: DesignChange = withRules((operation, rules) =>
  isCreation(operation)
    ? rules.toSpliced(
        rules.findIndex(({ requirement }) => requirement === 'TRN-01'),
        0,
        {
          requirement: 'ERR-03',
          ownChoice: true,
          name: 'this bank wants to know the PSU first',
          refuses: (request, state) =>
            request.header('psu-id') === undefined && request.header('x-psu-identity') !== undefined
              ? {
                  status: 401,
                  code: 'PSU_CREDENTIALS_INVALID',
                  text: 'Send the PSU to the link scaRedirect.',
                  links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
                }
              : undefined,
        },
      )
    : rules,
);

/** The registration of a TPP is checked (Transport and signing): this bank knows the one that comes first, and no other. */
const knowsOneTpp: DesignChange = (design) => {
  let known: string | undefined;
  const registered: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    hasEffects: true,
    name: 'this bank knows one TPP',
    refuses: ({ certificate }) => {
      if (certificate === undefined) return undefined;
      known ??= certificate.authorisationNumber;
      return certificate.authorisationNumber === known
        ? undefined
        : { status: 403, code: 'FORBIDDEN', text: 'This TPP has not registered with us.' };
    },
  };
  return besideCertificates(registered)(design);
};

/** Where certificates are looked at, before any SCA. */
const besideCertificates = (choice: Rule): DesignChange =>
  withRules((_, rules) =>
    rules.toSpliced(rules.findIndex(({ requirement }) => requirement === 'CRT-03') + 1, 0, choice),
  );

/** Which addresses a TPP may give is not said: this bank sends PSUs to the one that it was given first, and to no other. */
const knowsOneRedirect: DesignChange = (design) => {
  let known: string | undefined;
  return besideCertificates({
    requirement: 'ERR-06',
    ownChoice: true,
    hasEffects: true,
    name: 'this bank knows one TPP-Redirect-URI',
    refuses: (request) => {
      const address = request.header('tpp-redirect-uri');
      if (address === undefined) return undefined;
      known ??= address;
      return address === known
        ? undefined
        : { status: 400, code: 'FORMAT_ERROR', text: 'This TPP-Redirect-URI is not registered.' };
    },
  })(design);
};

/** Of the TPP that comes first are the customers of the sandbox, and no other TPP knows them. */
const customersOfOneTpp: DesignChange = (design) => {
  let owner: string | undefined;
  const remember = besideCertificates({
    requirement: 'ERR-06',
    ownChoice: true,
    hasEffects: true,
    name: 'this bank has customers of one TPP',
    refuses: (request) => {
      if (request.certificate !== undefined) owner ??= tppIdOf(request);
      return undefined;
    },
  });
  const knownToOwner = onPages((route) => (request, state) => {
    const flow = state.flows.find(request.params.flowId ?? '');
    const form = new URLSearchParams(request.bytes.toString('utf8'));
    if (flow?.tppId !== owner && form.has('nationalId')) form.set('nationalId', nobody);
    return route.handle(changedRequest(request, { bytes: Buffer.from(form.toString()) }), state);
  });
  return knownToOwner(remember(design));
};

const nobody = '00000000000';

const oneTpp = 'TPPs register with the bank, and one of them has';

export const identityAndLimitDialects: readonly Dialect[] = [
  declaring(
    {
      notOffered: ['OWN-01', 'SCA-05', 'SCA-08', 'SCA-15'].map((what) => ({ what, reason: oneTpp })),
    },
    hiding(independent('tpps/registered', 'knows one TPP, whoever vouches for others', knowsOneTpp)),
  ),
  declaring(
    {
      notOffered: ['OWN-01', 'SCA-05', 'SCA-08'].map((what) => ({
        what,
        reason: 'each TPP has customers of its own',
      })),
    },
    hiding(
      independent(
        'customers/of-one-tpp',
        'has a sandbox for each TPP, with customers whom no other knows',
        customersOfOneTpp,
      ),
    ),
  ),
  hiding(
    independent(
      'strict/registered-redirects',
      'sends PSUs to one address that is registered',
      knowsOneRedirect,
    ),
  ),
  independent(
    'sca/named-first',
    'asks for SCA before it looks at a payment of a PSU who is named by X-PSU-IDENTITY',
    namedOnesFirst,
  ),
  independent('sca/now-and-then', 'asks for SCA now and then before it creates a payment', asksNowAndThen),
  independent(
    'sca/of-other-clients',
    'asks for SCA before it looks at a payment that comes from another HTTP client than before',
    asksOtherClients,
  ),
  independent(
    'sca/before-reading',
    'asks for SCA once more when balances or transactions are first read in a session',
    asksBefore(['readBalances', 'readTransactions'], isAttended),
  ),
  independent(
    'sca/before-status',
    'asks for SCA once more when the status of a payment is first read in a session',
    asksBefore(['readPaymentStatus']),
  ),
  independent(
    'sca/before-basket',
    'asks for SCA once more before it creates the first basket of a session',
    asksBefore(['createSigningBasket']),
  ),
  independent(
    'sca/before-agreements',
    'asks for SCA once more before it lists agreements',
    asksBefore(['listAgreements']),
  ),
  independent(
    'sca/before-deletion',
    'asks for SCA once more when a payment is first deleted in a session',
    asksBefore(['deletePayment']),
  ),
  independent('psu-ids/forbidden', 'refuses a PSU-ID that it does not know with 403', forbidsUnknownPsus),
  independent(
    'sca/created-in-a-new-session',
    'creates payments in a session without SCA, with a link to it',
    withoutRules(
      (rule, operation) =>
        initiations.some((initiation) => initiation === operation) && rule.requirement === 'SES-02',
    ),
  ),
  dialect(
    'agreements/in-context',
    'wants PSU-Corporate-ID of a corporate PSU who asks for agreements as well',
    withRules((operation, rules) =>
      operation === 'listAgreements'
        ? [
            ...rules,
            {
              requirement: 'ERR-06',
              ownChoice: true,
              name: 'a choice of this bank',
              refuses: (request, state) =>
                lacksCorporateId(request, state)
                  ? { status: 400, code: 'HTTP_HEADER_REQUIRED', text: 'PSU-Corporate-ID is needed.' }
                  : undefined,
            },
          ]
        : rules,
    ),
  ),
  dialect(
    'unattended/none',
    'shows balances and transactions to nobody but the PSU',
    refusingAlone(['readBalances', 'readTransactions'], () => true),
  ),
  dialect(
    'unattended/old-refused',
    'refuses to look for old transactions without the PSU',
    refusingAlone(['readTransactions'], ({ query }, today) => {
      const dateFrom = query.get('dateFrom');
      return dateFrom !== null && dateFrom < isoDate(daysBefore(today, 90));
    }),
  ),
  dialect(
    'transactions/flat',
    'lists transactions without an object around them',
    withAnswers(['readTransactions'], (answer) =>
      isObject(answer.body) && isObject(answer.body.transactions)
        ? { ...answer, body: answer.body.transactions }
        : answer,
    ),
  ),
];
