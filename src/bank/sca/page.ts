import { createHash } from 'node:crypto';
import type { BankAnswer } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import { type Html, html } from './html.ts';
import { pagePath } from './request-sca.ts';

/** The style of the pages: inline, because the pages load nothing, and allowed by its hash only. */
const pageStyle = `
:root { color-scheme: light; --ink: #1b2330; --soft: #4a5568; --line: #7b8794; --brand: #0b4f6c; --alarm: #a11225; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef2f5; color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
header { background: var(--brand); color: #fff; padding: 0.9rem 1.25rem; font-weight: 600; }
header span { font-weight: 400; border: 1px solid #fff; border-radius: 1rem; padding: 0.05rem 0.6rem;
  margin-left: 0.6rem; font-size: 0.875rem; }
main { max-width: 34rem; margin: 1.5rem auto; padding: 1.5rem 1.75rem 1.75rem; background: #fff;
  border-radius: 0.6rem; box-shadow: 0 1px 4px rgb(27 35 48 / 18%); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
p { margin: 0 0 1rem; }
label.title, legend { font-weight: 600; padding: 0; }
.hint { color: var(--soft); font-size: 0.9375rem; margin: 0.1rem 0 0.4rem; }
.hint code { font-size: 0.9375rem; }
input[type="text"] { display: block; width: 100%; max-width: 16rem; font: inherit; letter-spacing: 0.06em;
  padding: 0.55rem 0.7rem; border: 2px solid var(--line); border-radius: 0.35rem; }
input[aria-invalid="true"] { border-color: var(--alarm); }
.field, fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.65rem 0.8rem; margin-top: 0.5rem;
  border: 1px solid var(--line); border-radius: 0.35rem; cursor: pointer; }
.choice:hover { background: #f3f7fa; }
.choice input { width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; flex: none; accent-color: var(--brand); }
.choice small { display: block; color: var(--soft); font-size: 0.9375rem; }
:focus-visible { outline: 3px solid #b45f06; outline-offset: 2px; }
.alert { border-left: 5px solid var(--alarm); background: #fdf0f1; color: #7a0e1c; padding: 0.7rem 0.9rem;
  margin: 0 0 1.2rem; }
.alert p { margin: 0; }
.note { border-left: 5px solid var(--brand); background: #eaf3f7; padding: 0.7rem 0.9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.35rem 1.25rem; margin: 0 0 1.4rem;
  padding: 0.9rem 1rem; background: #f3f7fa; border-radius: 0.35rem; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button { font: inherit; font-weight: 600; padding: 0.6rem 1.4rem; border-radius: 0.35rem; cursor: pointer;
  border: 2px solid var(--brand); background: var(--brand); color: #fff; }
button:hover { background: #083b51; }
button.second { background: #fff; color: var(--brand); }
button.second:hover { background: #eaf3f7; }
footer { max-width: 34rem; margin: 0 auto 2rem; padding: 0 1.75rem; color: var(--soft); font-size: 0.9375rem; }
@media (max-width: 36rem) { main { margin: 0; border-radius: 0; box-shadow: none; } dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: 0.5rem; } footer { padding-top: 1rem; } }
`;

const pageStyleHash = `sha256-${createHash('sha256').update(pageStyle).digest('base64')}`;

export interface Page {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** Where the PSU will be sent after the form; its scheme has to be allowed. */
  readonly redirectUri?: string | undefined;
}

/** A page of the bank. It loads nothing, runs nothing, and cannot be put into a frame. */
export function pageAnswer({ title, content, status = 200, redirectUri }: Page): BankAnswer {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Reference Bank sandbox</title>
<style>${{ markup: pageStyle }}</style>
</head>
<body>
<header>Reference Bank<span>Sandbox</span></header>
<main>
${content}
</main>
<footer>A simulation: no real person, account or money.</footer>
</body>
</html>
`;
  return {
    status,
    headers: {
      'Content-Security-Policy': contentSecurityPolicy(redirectUri),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    text: { type: 'text/html; charset=utf-8', content: document.markup },
  };
}

/**
 * `form-action` also governs where the answer to a form may redirect, in browsers along the whole chain. The TPP's
 * address may redirect further, so that its scheme is allowed and not only its origin.
 */
function contentSecurityPolicy(redirectUri: string | undefined): string {
  const schemes = new Set(['https:', ...(redirectUri === undefined ? [] : [new URL(redirectUri).protocol])]);
  return [
    "default-src 'none'",
    `style-src '${pageStyleHash}'`,
    `form-action 'self' ${[...schemes].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

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
