import {
  attemptsTheSame,
  type Fault,
  type Finding,
  findingOf,
  isUnchanged,
  type SeenExchange,
  type Session,
  tppCheck,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { textAt } from '../../src/spec/json.ts';
import { isCreation } from '../../src/spec/products.ts';
import { signingRequirements } from '../../src/spec/requirements/signing.ts';

export default suite('Conduct', ['Authentication', 'Transport and signing'], () => [
  tppCheck({
    id: 'TPP-05',
    title: 'the TPP uses nothing of a response whose signature is false',
    requirement: 'TPP-05',
    looksAt: 'a response with a false signature (journey forged-response), and requests after it',
    expected: 'neither its paymentId nor its link to be used',
    judge: judgeForgeries,
  }),

  tppCheck({
    id: 'TPP-38',
    title: 'a request that was refused with 400 is not repeated unchanged',
    requirement: 'TPP-38',
    looksAt: 'a request that was refused with 400, and requests after it',
    expected: 'no second request that differs in nothing',
    judge: judgeRepetitions,
  }),

  tppCheck({
    id: 'TPP-39',
    title: 'after 429 or 503 the TPP waits before it tries again',
    requirement: 'TPP-39',
    looksAt: 'a request that was answered 429 or 503, and tried again',
    expected: 'the next attempt not before Retry-After is over',
    judge: judgePatience,
  }),

  tppCheck({
    id: 'TPP-52',
    title: 'the TPP sends nothing that the bank has to refuse',
    requirement: 'TPP-52',
    looksAt: 'a request of the TPP',
    expected: 'no refusal that the bank was not asked for, and that no other check explains',
    observes: true,
    judge: judgeRefusals,
  }),
]);

function judgeForgeries(session: Session): Finding | undefined {
  const openedFrom = (exchange: SeenExchange): SeenExchange | undefined =>
    session.opened(session.linkOf(exchange)?.flowId ?? '');
  const looked = session.requests.filter(
    (exchange) =>
      exchange.recorded.provocation === 'forged-response' &&
      (session.after(exchange).length > 0 || openedFrom(exchange) !== undefined),
  );
  const faults = looked.flatMap((exchange): Fault[] => {
    const id = textAt(exchange.answer.json, 'paymentId') ?? '';
    const opened = openedFrom(exchange);
    const used = session
      .after(exchange)
      .find((later) => later.isAbout(id) || later.target.includes(id) || later.bytes.includes(id));
    if (opened !== undefined)
      return [{ exchange: opened, problem: 'the PSU was sent to the link of a false response' }];
    return used === undefined
      ? []
      : [{ exchange: used, problem: 'it uses the paymentId of a false response' }];
  });
  return findingOf(looked, faults);
}

/** What was refused for its signature, its date or its id is fixed where two requests always differ. */
const fixedInPassing: ReadonlySet<string | undefined> = new Set(signingRequirements.map(({ id }) => id));

function judgeRepetitions(session: Session): Finding | undefined {
  const looked = session.requests.filter(
    (exchange) =>
      exchange.status === 400 &&
      !fixedInPassing.has(exchange.recorded.refusedBy?.requirement) &&
      session.after(exchange).length > 0,
  );
  const faults = looked.flatMap((refused): Fault[] => {
    const again = session.after(refused).find((later) => isUnchanged(later, refused));
    return again === undefined
      ? []
      : [{ exchange: again, problem: `it repeats request ${refused.number}, which was refused with 400` }];
  });
  return findingOf(looked, faults);
}

const answeredAt = ({ at, recorded }: SeenExchange): number => at.getTime() + Math.floor(recorded.durationMs);

/** Clocks and timers are not exact. */
const toleranceMs = 100;

function judgePatience(session: Session): Finding | undefined {
  const tried = session.requests
    .filter(({ status }) => status === 429 || status === 503)
    .flatMap((refused) => {
      const again = session
        .after(refused)
        // What was under way before the answer came is no new attempt.
        .find((later) => later.at.getTime() >= answeredAt(refused) && attemptsTheSame(later, refused));
      return again === undefined ? [] : [{ refused, again }];
    });
  const faults = tried.flatMap(({ refused, again }): Fault[] => {
    const pause = again.at.getTime() - refused.at.getTime();
    const asked = askedPause(refused);
    return pause + toleranceMs >= asked
      ? []
      : [
          {
            exchange: again,
            problem: `it came ${(pause / 1000).toFixed(1)} s after request ${refused.number} was answered ${refused.status}; Retry-After asked for ${asked / 1000} s`,
          },
        ];
  });
  return findingOf(
    tried.map(({ again }) => again),
    faults,
  );
}

/** Milliseconds; RFC 7231 section 7.1.3 allows seconds and a date. */
function askedPause({ answer, at }: SeenExchange): number {
  const value = answer.headers.get('Retry-After')?.trim() ?? '0';
  return /^\d+$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - at.getTime());
}

/** Codes of what the PSU has to remedy, not the TPP: an invoice, a day, a payment made twice. */
const ofThePsu: ReadonlySet<string | undefined> = new Set([
  'KID_MISSING',
  'KID_INVALID',
  'PAYMENT_FAILED',
  'EXECUTION_DATE_INVALID',
  'CONFLICT',
]);

/** The account to pay from, and the characters of a text, are the PSU's choice as well. */
const isChoiceOfThePsu = ({ operation, answer, recorded }: SeenExchange): boolean =>
  answer.messages.some(({ code }) => ofThePsu.has(code)) ||
  recorded.refusedBy?.requirement === 'TRN-06' ||
  (isCreation(operation) && answer.messages.some(({ code }) => code === 'RESOURCE_UNKNOWN'));

/** One more net under all others: a refusal is a fault of the TPP, even where no check foresaw it. */
function judgeRefusals(session: Session, blamed: ReadonlySet<SeenExchange>): Finding | undefined {
  const faults = session.requests
    .filter((exchange) => isUnexpectedRefusal(exchange, session) && !blamed.has(exchange))
    .map((exchange): Fault => {
      const [message] = exchange.answer.messages;
      const said = message?.text ?? exchange.recorded.refusedBy?.rule ?? 'without a reason';
      return { exchange, problem: `the bank refused it with ${exchange.status}: ${said}` };
    });
  return findingOf(session.requests, faults);
}

function isUnexpectedRefusal(exchange: SeenExchange, session: Session): boolean {
  const { status, answer, recorded, method } = exchange;
  return (
    // Asking what there is calls no operation (RFC 7231 section 4.1).
    method !== 'HEAD' &&
    method !== 'OPTIONS' &&
    status >= 400 &&
    status !== 429 &&
    status < 500 &&
    recorded.provocation === undefined &&
    !answer.asksForSca &&
    !isChoiceOfThePsu(exchange) &&
    !isAboutKnownPayment(exchange, session)
  );
}

/**
 * Its state is learned by asking: before approval it may be unreadable (States and transitions), deleted it is gone. A
 * request that is wrong in itself is answered 400, whatever the state.
 */
function isAboutKnownPayment(exchange: SeenExchange, { payments }: Session): boolean {
  return (
    exchange.status !== 400 &&
    /^(?:read|delete)Payment/.test(exchange.operation) &&
    payments.some(({ id }) => exchange.isAbout(id))
  );
}
