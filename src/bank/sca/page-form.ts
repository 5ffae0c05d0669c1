import type { BankAnswer } from '../route.ts';
import type { ScaFlow } from './flows.ts';
import { type Html, html } from './html.ts';
import { pageAnswer } from './page-answer.ts';
import { pagePath } from './page-path.ts';
import type { PsuState } from './psu-state.ts';

/** What was wrong with the last form, and at which field. */
export interface FormError {
  readonly field: 'nationalId' | 'context' | 'agreement';
  readonly text: string;
}

export interface FormPage {
  readonly title: string;
  readonly introduction?: Html;
  readonly fields: Html;
  /** The words on the button that goes on. */
  readonly go: string;
  readonly error?: FormError | undefined;
}

/**
 * A page with one form. `step` tells which page was filled in, so that a page from the browser's history cannot be
 * taken for the one that is due. Enter presses the first button, which goes on.
 */
export function formPage(flow: ScaFlow, state: PsuState, page: FormPage): BankAnswer {
  const { error } = page;
  return pageAnswer({
    title: error === undefined ? page.title : `Error: ${page.title}`,
    redirectUri: flow.redirectUri,
    content: html`<h1>${page.title}</h1>
${error && html`<div class="alert" role="alert" id="error"><p>${error.text}</p></div>`}
${page.introduction}
<form method="post" action="${new URL(state.baseUrl()).pathname.replace(/\/$/, '') + pagePath(flow.id)}">
<input type="hidden" name="step" value="${flow.step}">
${page.fields}
<div class="actions">
<button type="submit" name="action" value="continue">${page.go}</button>
<button type="submit" name="action" value="cancel" class="second" formnovalidate>Cancel</button>
</div>
</form>`,
  });
}

/** One line of a group of radio buttons or checkboxes. */
export function choice(
  type: 'radio' | 'checkbox',
  name: string,
  option: {
    readonly value: string;
    readonly text: string;
    readonly detail?: string;
    readonly chosen: boolean;
  },
): Html {
  return html`<label class="choice"><input type="${type}" name="${name}" value="${option.value}"${option.chosen && html` checked`}>
<span>${option.text}${option.detail !== undefined && html` <small>${option.detail}</small>`}</span></label>`;
}
