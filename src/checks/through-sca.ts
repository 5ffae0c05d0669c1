import { missingCapability } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import { headerValue } from '../tpp/exchange.ts';
import { isLostInSca, ScaWalkError } from '../tpp/sca/sca-walker.ts';
import { type ScaLink, scaRedirectOf } from '../tpp/sca/start-sca.ts';
import type { CheckContext } from './context.ts';
import { describeAnswer } from './expectation.ts';
import { Inconclusive, LostOnTheWay, notCreated } from './outcomes.ts';

/** A bank that asks for SCA now and then may do so again at once, where others ask for something at the same time. */
const mostScas = 2;

/**
 * Sends a request that something is to come of. A bank may answer a payment with 401 and a scaRedirect link first, and
 * create it when the call is repeated after SCA; where the suite can pass SCA by itself, it does.
 */
export async function callThroughSca(
  context: CheckContext,
  call: Call,
  purpose: string,
  variation: Variation = {},
): Promise<Answer> {
  let answer = await context.call(call, variation, purpose);
  for (let time = 1; time <= mostScas && answer.asksForSca; time += 1) {
    const again = await repeatedAfterSca(context, answer, call, variation, purpose);
    if (again === undefined) break;
    answer = again;
  }
  return answer;
}

/** The page where SCA is passed. Many links are never followed, so that an authorisation is started only now. */
export async function pageOf(context: CheckContext, link: ScaLink): Promise<string> {
  if (typeof link === 'string') return link;
  const page = await link.start((call, variation) =>
    callThroughSca(context, call, 'start the authorisation', variation),
  );
  if (typeof page === 'string') return page;
  throw notCreated(
    page,
    `The bank offers startAuthorisation, and gave no link scaRedirect when it was followed: it answered ${describeAnswer(page)}.`,
  );
}

/** The answer to the same call once the PSU has passed the SCA that was asked for; undefined where nobody can. */
export async function repeatedAfterSca(
  context: CheckContext,
  answer: Answer,
  call: Call,
  variation: Variation,
  purpose: string,
): Promise<Answer | undefined> {
  const link = answer.asksForSca ? scaRedirectOf(answer) : undefined;
  const { psu } = context.target;
  const sessionId = sessionIn(answer);
  // SCA in another session would end that of the run, and so would that of the wrong person (Limits).
  if (sessionId !== psu.sessionId && sessionId !== psu.corporate?.sessionId) return undefined;
  const isShared = psu.sessionId === psu.corporate?.sessionId;
  const isCorporate = isShared ? call.psu?.corporateId !== undefined : sessionId !== psu.sessionId;
  const nationalId = isCorporate ? psu.corporate?.nationalId : psu.nationalId;
  if (link === undefined || nationalId === undefined) return undefined;
  if (missingCapability(context.target, 'sca-unattended') !== undefined) return undefined;
  const person = {
    nationalId,
    context: isCorporate ? ('CORPORATE' as const) : psu.context,
    redirectUri: context.psu.redirectUri,
  };
  try {
    const { psuId } = await context.run.walker.pass(link, person, (exchange) =>
      context.exchanges.push(exchange),
    );
    // The target file names another person than the PSU of the request: for that PSU nothing was passed.
    if (isOther(psuId, headerValue(answer.exchange.request.headers, 'PSU-ID'))) return undefined;
  } catch (error) {
    if (!(error instanceof ScaWalkError)) throw error;
    // The answer that asks for SCA says nothing of the call, where it was the way to the pages that failed.
    if (error.kind === 'lost' || error.kind === 'unreachable') throw notPassed(error);
    return undefined;
  }
  return context.call(call, variation, purpose + afterSca);
}

const isOther = (psuId: string | undefined, expected: string | undefined): boolean =>
  psuId !== undefined && expected !== undefined && psuId.toLowerCase() !== expected.toLowerCase();

const afterSca = ', after SCA';

/** Whether a call went through once SCA was passed that had been asked for before. */
export const isAfterSca = ({ exchange }: Answer): boolean => exchange.purpose?.endsWith(afterSca) === true;

const sessionIn = ({ exchange }: Answer): string | undefined =>
  headerValue(exchange.request.headers, 'TPP-Session-ID');

/** SCA was not passed, for a reason that says nothing about the bank. */
export function notPassed(error: ScaWalkError): Inconclusive {
  const told = `SCA could not be passed: ${error.message}`;
  return isLostInSca(error)
    ? new LostOnTheWay(told, { cause: error })
    : new Inconclusive(told, { cause: error });
}
