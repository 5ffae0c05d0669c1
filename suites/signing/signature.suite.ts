import { constants, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer, expectAnswer, refused, rejectedWith } from '../../src/checks/expectation.ts';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import { drawCall, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { refuses, type Twist } from '../../src/checks/trial.ts';
import { holdsKey, type SigningIdentity } from '../../src/signing/identity.ts';
import { signText, signWith } from '../../src/signing/signature.ts';
import type { SignatureParts } from '../../src/signing/signature-header.ts';
import { headerRequirement } from '../../src/spec/headers.ts';
import type { ProfileId } from '../../src/spec/profiles.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import { headerValue } from '../../src/tpp/exchange.ts';
import { suffixes } from '../id-suffixes.ts';
import { readablePayment } from '../payments/approved-payments.ts';
import { freshPayment, paramsOf } from '../payments/payments-at-hand.ts';
import { isGone } from '../payments/payments-of.ts';
import { mustBeOffered } from '../sca/walks.ts';
import { everyRequest } from '../subjects.ts';
import { flippingOneBit, overAnotherText, signedWithAnotherHash } from './signature-faults.ts';

let strangeKey: Promise<KeyObject> | undefined;

/** A key that no certificate of the target knows; made once, because making one takes half a second. */
function otherKey(): Promise<KeyObject> {
  strangeKey ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }).then(
    ({ privateKey }) => privateKey,
  );
  return strangeKey;
}

const signedWithAnotherKey =
  (key: KeyObject) =>
  (text: string): Promise<string> =>
    signText(text, { sign: signWith(key) });

/** The same hash with the padding of RSA-PSS, which goes by another name (RFC 8017, 8.1). */
async function signedWithPss(text: string, identity: SigningIdentity): Promise<string> {
  if (!holdsKey(identity))
    throw new NotApplicable('The key is in a device that is asked for no other padding.');
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign('sha256', Buffer.from(text, 'utf8'), { key: identity.privateKey, padding }).toString('base64');
}

/** Of these, payments and a request that reads will do. */
const withAnotherPadding: Twist = {
  label: 'the padding is that of RSA-PSS',
  under: (_, { identities }) => holdsKey(identities.main),
  request: { signing: { sign: signedWithPss } },
  isOneOfMany: true,
};

/** Operations on a payment that exists are signed as well. */
const operationsOnPayments: readonly {
  readonly suffix: string;
  readonly title: string;
  readonly profile: ProfileId;
  readonly call: (context: CheckContext) => Call | Promise<Call>;
}[] = [
  {
    suffix: suffixes.status,
    title: 'a request for the status of a payment',
    profile: 'payment-lifecycle',
    call: async (context) => ({
      operation: 'readPaymentStatus',
      params: paramsOf(await readablePayment(context)),
    }),
  },
  {
    suffix: suffixes.deletion,
    title: 'the deletion of a payment',
    profile: 'payment-lifecycle',
    call: async (context) => ({ operation: 'deletePayment', params: paramsOf(await freshPayment(context)) }),
  },
];

/** What closes the question where the control does not go through. */
const whereNot: Readonly<Record<string, string>> = {
  [suffixes.status]: 'Give an approved payment as payments.approved of the target file.',
  [suffixes.deletion]:
    'Where no payment can be deleted, declare deletePayment as notOffered in the target file.',
};

const refusedUnlessSigned = (
  requirement: string,
  how: string,
  signing: NonNullable<Variation['signing']>,
): readonly Check[] =>
  operationsOnPayments.map(({ suffix, title, profile, call }) =>
    check({
      id: `${requirement}${suffix}`,
      requirement,
      profiles: [profile],
      title: `${title} ${how} is rejected with 400`,
      steps: [
        `Send ${title}, as control: it must go through.`,
        `Send another one ${how}.`,
        ...(suffix === suffixes.deletion
          ? ['Send it as it should be: there is still something to delete.']
          : []),
      ],
      expected: rejectedWith(400).text,
      async run(context) {
        // SCA may be required on any transaction.
        const control = await callThroughSca(context, await call(context), 'control');
        if (suffix === suffixes.deletion) mustBeOffered(control, title);
        if (!control.isSuccess) {
          throw new NotApplicable(
            `The bank answers ${title} with ${describeAnswer(control)}. ${whereNot[suffix] ?? ''}`.trim(),
          );
        }
        const sent = await call(context);
        const answer = await context.call(sent, { signing }, how);
        expectAnswer(context, answer, rejectedWith(400), `for ${title} ${how}`);
        if (suffix !== suffixes.deletion) return;
        const again = await context.call(sent, {}, 'the same as it should be');
        // It went through for the control: what is refused now has been deleted.
        const read = () => context.call({ ...sent, operation: 'readPaymentStatus' }, {}, 'what became of it');
        // One that died on the way may have deleted it, before it was sent again.
        if (!again.afterTrouble && refused().met(again, context.readings) && (await isGone(read))) {
          context.evidence = context.exchanges.slice(-2);
          throw new ExpectationFailed(
            `a payment that is left as it was when its deletion ${how} is rejected`,
            `one whose deletion is answered ${describeAnswer(again)}`,
          );
        }
      },
    }),
  );

/**
 * A signature that the bank has verified once, on a request with another Date and X-Request-ID. Asked of every kind of
 * request: in the context of a company, what it leaves unsigned is reason enough to refuse it.
 */
const ofEarlierRequest = (of: Subject): Twist => ({
  label: 'the signature is that of an earlier request',
  request: async (context) => {
    const earlier = await context.call(await drawCall(context, of), {}, 'a request to take the signature of');
    const signature = headerValue(earlier.exchange.request.headers, 'Signature') ?? '';
    return { afterSigning: ({ headers }) => headers.set('Signature', signature) };
  },
});

/** What has one row of contexts only would meet a query by chance. */
const missingBesideAQuery: Twist = {
  label: 'the Signature header is missing, with withAgreements in the query',
  points: 'Signature',
  call: (call) => ({ ...call, query: { ...call.query, withAgreements: 'false' } }),
  request: { signing: { format: () => undefined } },
};

export default suite('Signature', section('Authentication', 'Transport and signing'), () => [
  everyRequest.map(({ suffix, of, headers, sharesList }) => {
    const others = headers === undefined ? [] : [headerRequirement(headers, 'Signature')];
    return refuses({
      id: `SIG-01${suffix}`,
      requirement: 'SIG-01',
      others,
      title: `${of.title} without a Signature header is rejected with 400`,
      of,
      twists: [
        {
          label: 'the Signature header is missing',
          points: 'Signature',
          request: { signing: { format: () => undefined } },
        },
        ...(of.mayLeaveOutDetails === true ? [missingBesideAQuery] : []),
        {
          label: 'the Signature header is empty',
          points: 'Signature',
          request: { signing: { format: () => '' } },
          isOneOfMany: true,
        },
      ],
      sharesList,
      // That the header is required says nothing of the status.
      expected: {
        ...rejectedWith(400),
        breaks: (answer, readings) => ['SIG-01', ...(refused().met(answer, readings) ? [] : others)],
      },
      cases: 2,
    });
  }),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `SIG-02${suffix}`,
      requirement: 'SIG-02',
      title: `${of.title} whose signature does not verify is rejected with 400`,
      of,
      twists: [
        { label: 'one bit of the signature is flipped', request: { signing: { parts: flippingOneBit } } },
        {
          label: 'the signature is that of another text',
          request: { signing: overAnotherText },
        },
        {
          label: 'the signature is no Base64',
          request: { signing: { parts: (parts) => ({ ...parts, signature: '*signed*' }) } },
        },
        {
          label: 'the signature is empty',
          request: { signing: { parts: (parts) => ({ ...parts, signature: '' }) } },
          isOneOfMany: true,
        },
        // Whoever looks up how to verify by this part may find that there is nothing to verify.
        ...['none', 'hs2019'].map((algorithm) => ({
          label: `one bit of the signature is flipped, and algorithm is ${algorithm}`,
          request: {
            signing: { parts: (parts: SignatureParts) => ({ ...flippingOneBit(parts), algorithm }) },
          },
          isOneOfMany: true as const,
        })),
        ofEarlierRequest(of),
      ],
      sharesList,
      expected: rejectedWith(400),
      cases: 3,
    }),
  ),
  refusedUnlessSigned('SIG-01', 'without a Signature header', { format: () => undefined }),
  refusedUnlessSigned('SIG-02', 'whose signature does not verify', overAnotherText),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `CRT-07${suffix}`,
      requirement: 'CRT-07',
      title: `${of.title} signed with another key than the certificate’s is rejected with 400`,
      of,
      twists: [
        {
          label: 'another key signed',
          request: async () => ({ signing: { sign: signedWithAnotherKey(await otherKey()) } }),
        },
      ],
      expected: rejectedWith(400),
      cases: 1,
    }),
  ),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `SGH-14${suffix}`,
      requirement: 'SGH-14',
      title: `${of.title} whose signature is no RSA-SHA256 is rejected with 400`,
      of,
      twists: [
        { label: 'SHA-512 was used', request: { signing: { sign: signedWithAnotherHash('sha512') } } },
        { label: 'SHA-1 was used', request: { signing: { sign: signedWithAnotherHash('sha1') } } },
        withAnotherPadding,
      ],
      sharesList,
      expected: rejectedWith(400),
      cases: 2,
    }),
  ),
]);
