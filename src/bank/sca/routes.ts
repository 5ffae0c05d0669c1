import type { BankAnswer, BankRequest, Route } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import { html } from './html.ts';
import { pageAnswer } from './page.ts';
import { pageRoutePath } from './request-sca.ts';
import { currentPage, failFlow, submitForm } from './walk-flow.ts';

/**
 * The pages behind the link scaRedirect. They are for the PSU's browser, so they are not signed; their forms are sent
 * as application/x-www-form-urlencoded, and the token in the path is what gives access.
 */
export const scaRoutes = (): readonly Route[] => [
  {
    operation: 'page',
    method: 'GET',
    path: pageRoutePath,
    rules: [],
    handle: (request, state) => inOpenFlow(request, state, (flow) => currentPage(flow, state)),
  },
  {
    operation: 'page',
    method: 'POST',
    path: pageRoutePath,
    rules: [],
    handle: (request, state) =>
      inOpenFlow(request, state, (flow) =>
        submitForm(flow, state, new URLSearchParams(request.bytes.toString('utf8'))),
      ),
  },
];

function inOpenFlow(
  request: BankRequest,
  state: PsuState,
  answer: (flow: ScaFlow) => BankAnswer,
): BankAnswer {
  const flow = state.flows.find(request.params.flowId ?? '');
  if (flow === undefined) return deadEnd(404, 'Page not found', 'The link is wrong or no longer valid.');
  if (flow.step === 'finished')
    return deadEnd(410, 'Already used', 'This link was used and cannot be used again.');
  if (state.flows.isExpired(flow)) {
    return failFlow(flow, { status: 401, code: 'SCA_EXPIRED', message: 'The authentication took too long' });
  }
  return answer(flow);
}

const deadEnd = (status: number, title: string, text: string): BankAnswer =>
  pageAnswer({
    status,
    title,
    content: html`<h1>${title}</h1><p>${text} Go back to the service that you came from and start again.</p>`,
  });
