import { isDeepStrictEqual } from 'node:util';
import type { TppBehaviour } from '../../certification/reference-tpp/behaviour.ts';
import { digestHeader } from '../../signing/digest.ts';
import { formatSignatureHeader, type SignatureParts } from '../../signing/signature-header.ts';
import { products } from '../../spec/products.ts';
import type { Call, Variation } from '../../tpp/call.ts';
import type { RequestDraft, SigningPlan } from '../../tpp/signing-plan.ts';
import { conductDeviations } from './conduct-deviations.ts';
import type { TppDeviation } from './deviation.ts';
import { bodyDeviations, headerDeviations, signingDeviations } from './request-deviations.ts';

/** What single requests show; conduct is a matter of several. */
const ofRequests: readonly TppDeviation[] = [...signingDeviations, ...headerDeviations, ...bodyDeviations];

export const tppDeviations: readonly TppDeviation[] = [...ofRequests, ...conductDeviations].toSorted(
  (a, b) => (a.id < b.id ? -1 : 1),
);

/** A part of a TPP's code in which a plausible bug shows, while everything else goes on as it should. */
interface Condition {
  /** The end of the id: `TPP-08/lower-case@corporate`. */
  readonly name: string;
  /** The end of the sentence: `writes the serial number in lower case, but only …`. */
  readonly title: string;
  /** Requirements and deviations that are not broken under it, though something changes. */
  readonly about?: readonly string[];
  /** `earlier`: how many calls of the same operation came before. */
  readonly isMet: (call: Call, earlier: number) => boolean;
}

const conditions: readonly Condition[] = [
  {
    name: 'corporate',
    title: 'for a company',
    // It tries none of a company's payments again.
    about: ['TPP-15/retries'],
    isMet: ({ psu }) => psu?.corporateId !== undefined,
  },
  {
    name: 'cross-border',
    title: 'across the border',
    isMet: ({ operation }) => operation === products.crossBorder.creation,
  },
  {
    name: 'baskets',
    title: 'with baskets',
    // The reference TPP sends no Digest with them, as the specification has it. It creates one, and what is constant for
    // one request is unique.
    about: ['TPP-12/digest', 'TPP-14', 'TPP-15', 'TPP-16/digest'],
    isMet: ({ operation }) => operation === 'createSigningBasket',
  },
  {
    name: 'reading',
    title: 'where it reads',
    isMet: ({ operation }) => /^(?:read|list)/.test(operation),
  },
  {
    name: 'deletion',
    title: 'where it deletes',
    // It deletes once as well.
    about: ['TPP-15'],
    isMet: ({ operation }) => /^delete/.test(operation),
  },
  {
    name: 'again',
    title: 'from the second time on',
    isMet: (_, earlier) => earlier > 0,
  },
];

/** Every deviation of a request under every condition. */
export const conditionalTppDeviations: readonly TppDeviation[] = ofRequests.flatMap((deviation) =>
  conditions
    .filter(({ about = [] }) => !about.includes(deviation.id) && !about.includes(deviation.requirement))
    .map((condition) => onlyUnder(condition, deviation)),
);

function onlyUnder({ name, title, isMet }: Condition, deviation: TppDeviation): TppDeviation {
  let hasShown = false;
  const noticing = <Value>(sound: Value, broken: Value): Value => {
    hasShown ||= !isDeepStrictEqual(sound, broken);
    return broken;
  };
  return {
    ...deviation,
    id: `${deviation.id}@${name}`,
    title: `${deviation.title}, but only ${title}`,
    condition: name,
    hasShown: () => hasShown,
    change: (keys) => (sound) => {
      const broken = deviation.change(keys)(sound);
      const sent = new Map<string, number>();
      const choose = <Value>(call: Call, decide: (behaviour: TppBehaviour) => Value): Value =>
        isMet(call, sent.get(call.operation) ?? 0) ? noticing(decide(sound), decide(broken)) : decide(sound);
      return {
        ...sound,
        body: (call, body) => choose(call, (behaviour) => behaviour.body(call, body)),
        bytes: (call, body) => choose(call, (behaviour) => behaviour.bytes(call, body)),
        identityFor: (call) => choose(call, (behaviour) => behaviour.identityFor(call)),
        vary: (call) =>
          isMet(call, sent.get(call.operation) ?? 0)
            ? watched(broken.vary(call), (before, after) => noticing(before, after))
            : sound.vary(call),
        present: (psu, call) => {
          const shown = choose(call, (behaviour) => behaviour.present(psu, call));
          // The last thing that is asked for a request.
          sent.set(call.operation, (sent.get(call.operation) ?? 0) + 1);
          return shown;
        },
      };
    },
  };
}

/** What a step came to, and what it comes to as it should be. */
type Tell = (right: unknown, done: unknown) => void;

/** Tells what each step of a variation does to a request. */
function watched(variation: Variation, tell: Tell): Variation {
  const watch =
    (change: ((draft: RequestDraft) => void) | undefined) =>
    (draft: RequestDraft): void => {
      const before = shownIn(draft);
      change?.(draft);
      tell(before, shownIn(draft));
    };
  return {
    beforeSigning: watch(variation.beforeSigning),
    afterSigning: watch(variation.afterSigning),
    ...(variation.signing === undefined ? {} : { signing: watchedPlan(variation.signing, tell) }),
  };
}

function watchedPlan(plan: SigningPlan, tell: Tell): SigningPlan {
  const watch =
    <Given extends readonly unknown[], Value>(
      right: (...given: Given) => Value,
      step: (...given: Given) => Value,
    ) =>
    (...given: Given): Value => {
      const done = step(...given);
      tell(right(...given), done);
      return done;
    };
  // Other texts, keys and ways to sign are no accident.
  if (plan.text !== undefined || plan.sign !== undefined || plan.identity !== undefined) tell('', 'other');
  return {
    ...plan,
    ...(plan.digest && { digest: watch(digestHeader as (body: Buffer) => string | undefined, plan.digest) }),
    ...(plan.covered && { covered: watch((present) => present, plan.covered) }),
    ...(plan.parts && { parts: watch((parts) => parts, plan.parts) }),
    ...(plan.format && {
      format: watch(formatSignatureHeader as (parts: SignatureParts) => string | undefined, plan.format),
    }),
  };
}

const shownIn = ({ method, target, headers, body }: RequestDraft): unknown => ({
  method,
  target,
  headers: [...headers.lines()],
  body: body?.toString('base64'),
});
