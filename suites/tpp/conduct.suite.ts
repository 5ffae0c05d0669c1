import {
  asksTheSame,
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
import { signingRequirements } from '../../src/spec/requirements/signing.ts';

export default suite(
  'Conduct',
  ['Authentication', 'Transport and signing'],
  [
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
  ],
);

function judgeForgeries(session: Session): Finding | undefined {
  const looked = session.requests.filter(
    (exchange) => exchange.recorded.provocation === 'forged-response' && session.after(exchange).length > 0,
  );
  const faults = looked.flatMap((exchange): Fault[] => {
    const id = textAt(exchange.answer.json, 'paymentId') ?? '';
    const opened = session.opened(session.linkOf(exchange)?.flowId ?? '');
    const used = session
      .after(exchange)
      .find(({ target, bytes }) => target.includes(encodeURIComponent(id)) || bytes.includes(id));
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

/** Clocks and timers are not exact. */
const toleranceMs = 100;

function judgePatience(session: Session): Finding | undefined {
  const tried = session.requests
    .filter(({ status }) => status === 429 || status === 503)
    .flatMap((refused) => {
      const again = session.after(refused).find((later) => asksTheSame(later, refused));
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
