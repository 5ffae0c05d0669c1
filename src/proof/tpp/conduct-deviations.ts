import { randomUUID } from 'node:crypto';
import {
  type BehaviourChange,
  type RedirectReason,
  varying,
} from '../../certification/reference-tpp/behaviour.ts';
import { defaultProduct } from '../../spec/products.ts';
import { oldTlsSession } from './certify.ts';
import { deviation, type TppDeviation } from './deviation.ts';

const ignoring =
  (ignored: RedirectReason): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    follows: (reason) => reason !== ignored && behaviour.follows(reason),
  });

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

export const conductDeviations: readonly TppDeviation[] = [
  {
    ...deviation('TPP-01/tls-1.1', 'connects with TLS 1.1', (behaviour) => behaviour),
    certify: oldTlsSession,
  },
  deviation('TPP-05/believes', 'believes whatever comes', (behaviour) => ({
    ...behaviour,
    trusts: () => true,
  })),
  deviation('TPP-20/access', 'asks again instead of sending the PSU to SCA', ignoring('access')),
  deviation(
    'TPP-20/renewal',
    'takes a session for valid although the bank says otherwise',
    ignoring('renewal'),
  ),
  deviation('TPP-20/payment', 'takes a created payment for a paid one', ignoring('payment')),
  deviation('TPP-20/basket', 'takes a created basket for a paid one', ignoring('basket')),
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
    'TPP-21/national-id',
    'goes on with X-PSU-IDENTITY although it has a PSU-ID',
    varying(
      {
        beforeSigning: ({ headers }) => {
          headers.remove('PSU-ID');
          headers.remove('PSU-Corporate-ID');
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      [defaultProduct.creation],
    ),
  ),
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
  deviation('TPP-24/fresh', 'makes a new TPP-Session-ID for every request', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => ({ ...behaviour.present(psu, call), sessionId: randomUUID() }),
  })),
  deviation('TPP-37/five', 'reads balances five times without the PSU', (behaviour) => ({
    ...behaviour,
    unattendedReads: 5,
  })),
  deviation('TPP-38/again', 'sends a refused payment again', (behaviour) => ({
    ...behaviour,
    repeatsRefused: true,
  })),
  deviation('TPP-39/at-once', 'tries again at once', (behaviour) => ({ ...behaviour, pauseAfter: () => 0 })),
  deviation('TPP-39/half', 'waits half as long as it was asked to', (behaviour) => ({
    ...behaviour,
    pauseAfter: (answer, attempt) => behaviour.pauseAfter(answer, attempt) / 2,
  })),
];
