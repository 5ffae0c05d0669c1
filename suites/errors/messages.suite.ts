import { randomUUID } from 'node:crypto';
import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { successes } from '../../src/checks/subject.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { memberAt } from '../../src/spec/json.ts';
import { creations, defaultProduct } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { responseChecks } from '../payments/response-checks.ts';

/** A refusal that any bank gives: a payment without its signature and one without a name. */
async function refusals(context: CheckContext): Promise<void> {
  await Promise.allSettled([
    context.call({ operation: defaultProduct.creation, body: {} }, {}, 'sample of a refusal'),
    context.call(
      { operation: 'listSandboxCustomers' },
      { signing: { format: () => undefined } },
      'sample of a refusal',
    ),
  ]);
}

/** Every answer of the run that carries tppMessages. */
async function withMessages(context: CheckContext): Promise<readonly Answer[]> {
  await Promise.all([successes(context), refusals(context)]);
  return context.run.observations.kept
    .map(({ answer }) => answer)
    .filter((answer) => answer.member('tppMessages') !== undefined);
}

/** Every created payment and basket that carries links; the bodies of errors are not shown. */
async function withLinks(context: CheckContext): Promise<readonly Answer[]> {
  await successes(context);
  const specified = new Set<string>([...creations, 'createSigningBasket']);
  return context.run.observations.kept
    .filter(
      ({ answer, exchange }) =>
        answer.isSuccess && answer.member('_links') !== undefined && specified.has(exchange.operation),
    )
    .map(({ answer }) => answer);
}

/** Every 401 that carries a link scaRedirect; a request without PSU-ID in a new session is answered so. */
async function asksForSca(context: CheckContext): Promise<readonly Answer[]> {
  const { id: _, corporateId: __, ...psu } = { ...context.psu, sessionId: randomUUID() };
  await Promise.allSettled([
    context.call({ operation: 'listAccounts', psu }, {}, 'sample of a request that needs SCA'),
  ]);
  return context.run.observations.kept
    .map(({ answer }) => answer)
    .filter(
      (answer) => answer.status === 401 && memberAt(answer.json, '_links', 'scaRedirect') !== undefined,
    );
}

export default suite('Messages and links', section('Errors'), [
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
    valuesIn: ({ json }) => [{ _links: { scaRedirect: memberAt(json, '_links', 'scaRedirect') } }],
    optional: true,
    rows: 'link',
    suffix: suffixes.sca,
  }),
]);
