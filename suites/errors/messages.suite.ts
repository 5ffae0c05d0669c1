import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { answersSoFar, successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { memberAt } from '../../src/spec/json.ts';
import { initiations } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { responseChecks } from '../payments/response-checks.ts';
import { sendOddRequests } from './odd-requests.ts';

/** Every answer of the run that carries tppMessages, to odd requests as well. */
async function withMessages(context: CheckContext): Promise<readonly Answer[]> {
  await sendOddRequests(context);
  return (await answersSoFar(context, 'successes', 'refusals')).filter(
    (answer) => answer.member('tppMessages') !== undefined,
  );
}

/** Every created payment and basket that carries links; the bodies of errors are not shown. */
async function withLinks(context: CheckContext): Promise<readonly Answer[]> {
  const specified = new Set<string>(initiations);
  return (await successes(context)).filter(
    (answer) => answer.member('_links') !== undefined && specified.has(answer.exchange.operation),
  );
}

/** Every 401 that carries a link scaRedirect. */
const asksForSca = async (context: CheckContext): Promise<readonly Answer[]> =>
  (await answersSoFar(context, 'scaRequests')).filter(
    ({ status, json }) => status === 401 && memberAt(json, '_links', 'scaRedirect') !== undefined,
  );

/** Some list all links of one name, as HAL does: where there are any, each of them is one. */
const linksOf = (link: unknown): readonly unknown[] =>
  Array.isArray(link) && link.length > 0 ? link : [link];

export default suite('Messages and links', section('Errors'), () => [
  responseChecks({
    body: bodies.errorResponse,
    title: 'an answer with tppMessages',
    answers: withMessages,
    valuesIn: ({ json }) => [json],
    optional: true,
    rows: 'all',
  }),
  responseChecks({
    body: bodies.paymentResponse,
    title: 'an answer with links',
    answers: withLinks,
    valuesIn: ({ json }) => [json],
    optional: true,
    rows: 'link',
  }),
  responseChecks({
    body: bodies.paymentResponse,
    title: 'a 401 with a link scaRedirect',
    answers: asksForSca,
    // Whatever else stands there: bodies of errors are not shown, but this link is demanded (Errors).
    valuesIn: ({ json }) =>
      linksOf(memberAt(json, '_links', 'scaRedirect')).map((scaRedirect) => ({ _links: { scaRedirect } })),
    optional: true,
    rows: 'link',
    suffix: suffixes.sca,
  }),
]);
