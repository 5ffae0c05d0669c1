import { randomUUID } from 'node:crypto';
import {
  type BehaviourChange,
  type RedirectReason,
  varying,
} from '../../certification/reference-tpp/behaviour.ts';
import { creations, isCreation, products } from '../../spec/products.ts';
import { foreignDigest, verifyResponse } from '../../tpp/answer.ts';
import type { Call, Psu } from '../../tpp/call.ts';
import type { HeaderLine } from '../../tpp/exchange.ts';
import { oldTlsSession } from './certify.ts';
import { deviation, type TppDeviation } from './deviation.ts';

const ignoring =
  (ignored: RedirectReason): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    follows: (reason, ...rest) => reason !== ignored && behaviour.follows(reason, ...rest),
  });

/** Never sends the PSU to a link of some calls. */
const ignoringAfter =
  (isIgnored: (call: Call, psu: Psu) => boolean): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    follows: (reason, call, psu) => !isIgnored(call, psu) && behaviour.follows(reason, call, psu),
  });

/** Names the customer otherwise in some operations. */
const presenting =
  (operation: Call['operation'], change: (psu: Psu) => Psu): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const shown = behaviour.present(psu, call);
      return call.operation === operation ? change(shown) : shown;
    },
  });

const inNewSession = (psu: Psu): Psu => ({ ...psu, sessionId: randomUUID() });

const naming =
  (psuId: (id: string) => string): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const { id, ...shown } = behaviour.present(psu, call);
      return id === undefined ? shown : { ...shown, id: psuId(id) };
    },
  });

const inventedPsuId = randomUUID();
const inventedAgreement = randomUUID();
const pollingSession = randomUUID();
const lastYear = new Date().getUTCFullYear() - 1;

export const conductDeviations: readonly TppDeviation[] = [
  {
    ...deviation('TPP-01/tls-1.1', 'connects with TLS 1.1', (behaviour) => behaviour),
    certify: oldTlsSession,
  },
  deviation('TPP-05/believes', 'believes whatever comes', (behaviour) => ({
    ...behaviour,
    trusts: () => true,
  })),
  deviation('TPP-05/digest', 'verifies signatures, and holds no digest against its body', (behaviour) => ({
    ...behaviour,
    trusts: (answer) => {
      const verdict = verifyResponse(answer);
      return verdict.state !== 'broken' || verdict.problem === foreignDigest;
    },
  })),
  deviation('TPP-20/access', 'asks again instead of sending the PSU to SCA', ignoring('access')),
  deviation(
    'TPP-20/renewal',
    'takes a session for valid although the bank says otherwise',
    ignoring('renewal'),
  ),
  deviation('TPP-20/payment', 'takes a created payment for a paid one', ignoring('payment')),
  deviation('TPP-20/basket', 'takes a created basket for a paid one', (behaviour) => ({
    ...ignoring('basket')(behaviour),
    baskets: 2,
  })),
  deviation('TPP-20/cross-border', 'takes payments across the border for paid ones', (behaviour) => ({
    ...ignoringAfter(({ operation }) => operation === products.crossBorder.creation)(behaviour),
    product: products.crossBorder,
  })),
  deviation('TPP-20/corporate', 'takes payments of companies for paid ones', (behaviour) => ({
    ...ignoringAfter(({ operation }, { corporateId }) => isCreation(operation) && corporateId !== undefined)(
      behaviour,
    ),
    corporatePayments: 3,
  })),
  deviation(
    'TPP-21/upper-case',
    'keeps PSU-IDs in upper case',
    naming((id) => id.toUpperCase()),
  ),
  deviation(
    'TPP-21/invented',
    'sends PSU-IDs of its own',
    naming(() => inventedPsuId),
  ),
  deviation(
    'TPP-21/reading',
    'does not say whose balances it reads',
    varying({ beforeSigning: ({ headers }) => headers.remove('PSU-ID') }, ['readBalances']),
  ),
  deviation('TPP-21/following', 'does not say whose payment it asks for, and leaves the link', (behaviour) =>
    ignoringAfter(({ operation }) => operation === 'readPaymentStatus')(
      varying({ beforeSigning: ({ headers }) => headers.remove('PSU-ID') }, ['readPaymentStatus'])(behaviour),
    ),
  ),
  deviation('TPP-21/nobody', 'asks for payments in a session of its own, and for nobody', (behaviour) =>
    ignoringAfter(({ operation }) => operation === 'readPaymentStatus')(
      varying(
        {
          beforeSigning: ({ headers }) => {
            headers.remove('PSU-ID');
            headers.set('TPP-Session-ID', pollingSession);
          },
        },
        ['readPaymentStatus'],
      )(behaviour),
    ),
  ),
  deviation('TPP-21/other-psu', 'asks for the payments of a customer in the name of another', (behaviour) => {
    let company: Psu | undefined;
    return {
      ...behaviour,
      dropOuts: 1,
      present: (psu, call) => {
        const shown = behaviour.present(psu, call);
        if (shown.corporateId !== undefined) company = shown;
        return call.operation === 'readPaymentStatus' && company !== undefined ? company : shown;
      },
    };
  }),
  deviation('TPP-21/other-session', 'lists accounts in the name of whoever paid last', (behaviour) => {
    let last: string | undefined;
    return ignoringAfter(({ operation }) => operation === 'listAccounts')({
      ...behaviour,
      present: (psu, call) => {
        const shown = behaviour.present(psu, call);
        if (isCreation(call.operation)) last = shown.id;
        return call.operation === 'listAccounts' && last !== undefined ? { ...shown, id: last } : shown;
      },
    });
  }),
  deviation('TPP-22/missing', 'sends no PSU-Corporate-ID', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const { corporateId: _, ...shown } = behaviour.present(psu, call);
      return shown;
    },
  })),
  deviation('TPP-22/invented', 'sends a PSU-Corporate-ID of its own', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const { corporateId, ...shown } = behaviour.present(psu, call);
      return corporateId === undefined ? shown : { ...shown, corporateId: inventedAgreement };
    },
  })),
  deviation('TPP-22/private', 'sends a PSU-Corporate-ID of its own for private customers', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const shown = behaviour.present(psu, call);
      const isPayment = isCreation(call.operation) && shown.id !== undefined;
      return isPayment ? { corporateId: inventedAgreement, ...shown } : shown;
    },
  })),
  deviation('TPP-22/other-psu', 'names an agreement next to another PSU', (behaviour) => {
    let first: string | undefined;
    return {
      ...behaviour,
      present: (psu, call) => {
        const shown = behaviour.present(psu, call);
        first ??= shown.id;
        return shown.corporateId === undefined || first === undefined ? shown : { ...shown, id: first };
      },
    };
  }),
  deviation('TPP-22/alone', 'lists the accounts of a company with PSU-Corporate-ID alone', (behaviour) => {
    let company: Psu | undefined;
    return ignoringAfter(({ operation }) => operation === 'listAccounts')({
      ...behaviour,
      present: (psu, call) => {
        const shown = behaviour.present(psu, call);
        if (shown.corporateId !== undefined) company = shown;
        if (call.operation !== 'listAccounts' || company === undefined) return shown;
        const { id: _, ...alone } = company;
        return alone;
      },
    });
  }),
  deviation('TPP-24/fresh', 'makes a new TPP-Session-ID for every request', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => ({ ...behaviour.present(psu, call), sessionId: randomUUID() }),
  })),
  deviation(
    'TPP-24/basket',
    'makes a new TPP-Session-ID for every basket',
    presenting('createSigningBasket', inNewSession),
  ),
  deviation(
    'TPP-24/upper-case',
    'writes its TPP-Session-ID in upper case with baskets',
    presenting('createSigningBasket', (psu) => ({ ...psu, sessionId: psu.sessionId.toUpperCase() })),
  ),
  deviation(
    'TPP-24/cut',
    'keeps only the first 20 characters of its TPP-Session-ID with baskets',
    presenting('createSigningBasket', (psu) => ({ ...psu, sessionId: psu.sessionId.slice(0, 20) })),
  ),
  deviation('TPP-24/status', 'asks for every status in a session of its own', (behaviour) =>
    ignoringAfter(({ operation }) => operation === 'readPaymentStatus')(
      presenting('readPaymentStatus', inNewSession)(behaviour),
    ),
  ),
  deviation('TPP-37/five', 'reads balances five times without the PSU', (behaviour) => ({
    ...behaviour,
    unattendedReads: 5,
  })),
  deviation(
    'TPP-37/otherwise-written',
    'reads balances five times without the PSU, and writes the id in its path another way each time',
    (behaviour) => {
      let count = 0;
      return varying(
        {
          beforeSigning: (draft) => {
            count += 1;
            let place = 0;
            draft.target = draft.target.replace(/[0-9a-f](?=[^/]*\/balances)/g, (sign) => {
              place += 1;
              return place === count ? `%${sign.charCodeAt(0).toString(16)}` : sign;
            });
          },
        },
        ['readBalances'],
      )({ ...behaviour, unattendedReads: 5 });
    },
  ),
  deviation(
    'TPP-37/second-page',
    'reads the second page of transactions five times without the PSU',
    (behaviour) =>
      varying(
        {
          beforeSigning: (draft) => {
            draft.target = draft.target.replace(
              /\/balances$/,
              '/transactions?bookingStatus=booked&offset=200',
            );
          },
        },
        ['readBalances'],
      )({ ...behaviour, unattendedReads: 5 }),
  ),
  deviation('TPP-38/again', 'sends a refused payment again', (behaviour) => ({
    ...behaviour,
    repeatsRefused: true,
  })),
  deviation('TPP-38/other-browser', 'sends a refused payment again for another browser', (behaviour) => {
    let count = 0;
    return varying(
      {
        beforeSigning: ({ headers }) => {
          count += 1;
          headers.set('PSU-User-Agent', `Mozilla/5.${count}`);
        },
      },
      creations,
    )({ ...behaviour, repeatsRefused: true });
  }),
  deviation(
    'TPP-38/traced',
    'sends a refused payment again under another name for its traces',
    (behaviour) => {
      let count = 0;
      return varying(
        {
          beforeSigning: ({ headers }) => {
            count += 1;
            headers.set('X-Correlation-ID', `payment-${count}`);
          },
        },
        creations,
      )({ ...behaviour, repeatsRefused: true });
    },
  ),
  deviation(
    'TPP-38/state',
    'sends a refused payment again with another state in its address',
    (behaviour) => {
      let count = 0;
      return varying(
        {
          beforeSigning: ({ headers }) => {
            count += 1;
            headers.set('TPP-Redirect-URI', `${headers.get('TPP-Redirect-URI')}?state=${count}`);
          },
        },
        creations,
      )({ ...behaviour, repeatsRefused: true });
    },
  ),
  deviation(
    'TPP-39/other-text',
    'tries again at once, and counts its attempts in the payment',
    (behaviour) => {
      let count = 0;
      return {
        ...behaviour,
        pauseAfter: () => 0,
        body: (call, body) => {
          count += 1;
          const { remittanceInformationUnstructured: text, ...rest } = behaviour.body(call, body);
          return text === undefined
            ? rest
            : { ...rest, remittanceInformationUnstructured: `${text} ${count}` };
        },
      };
    },
  ),
  deviation('TPP-39/at-once', 'tries again at once', (behaviour) => ({ ...behaviour, pauseAfter: () => 0 })),
  deviation('TPP-39/half', 'waits half as long as it was asked to', (behaviour) => ({
    ...behaviour,
    pauseAfter: (answer, attempt) => behaviour.pauseAfter(answer, attempt) / 2,
  })),
  deviation('TPP-46/from', 'reads transactions of four months without the PSU', (behaviour) => ({
    ...behaviour,
    unattendedDays: 120,
  })),
  deviation(
    'TPP-46/to',
    'reads transactions up to a day of last year without the PSU',
    varying(
      {
        beforeSigning: (draft) => {
          if (draft.headers.has('PSU-IP-Address')) return;
          draft.target = draft.target.replace(/dateFrom=[^&]*/, `dateTo=${lastYear}-06-30`);
        },
      },
      ['readTransactions'],
    ),
  ),
  deviation(
    'TPP-46/second',
    'names a second first day, of last year, without the PSU',
    varying(
      {
        beforeSigning: (draft) => {
          if (draft.headers.has('PSU-IP-Address')) return;
          draft.target = `${draft.target}&dateFrom=${lastYear}-06-30`;
        },
      },
      ['readTransactions'],
    ),
  ),
  deviation(
    'TPP-46/time',
    'reads transactions from a day and time of last year without the PSU',
    varying(
      {
        beforeSigning: (draft) => {
          if (draft.headers.has('PSU-IP-Address')) return;
          draft.target = draft.target.replace(/dateFrom=[^&]*/, `dateFrom=${lastYear}-06-30T00:00:00Z`);
        },
      },
      ['readTransactions'],
    ),
  ),
  deviation(
    'TPP-51/signature',
    'opens the page of the bank by itself, with its certificate',
    withPageHeaders([['TPP-Signature-Certificate', 'MIIB']]),
  ),
  deviation(
    'TPP-51/psu-id',
    'sends a PSU-ID to the page of the bank',
    withPageHeaders([['PSU-ID', inventedPsuId]]),
  ),
  deviation(
    'TPP-51/session',
    'sends a TPP-Session-ID to the page of the bank',
    withPageHeaders([['TPP-Session-ID', randomUUID()]]),
  ),
];

function withPageHeaders(pageHeaders: readonly HeaderLine[]): BehaviourChange {
  return (behaviour) => ({ ...behaviour, pageHeaders });
}
