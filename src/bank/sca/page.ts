import { createHash } from 'node:crypto';
import type { BankAnswer } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import { type Html, html } from './html.ts';
import { pagePath } from './request-sca.ts';

/** The style of the pages: inline, because the pages load nothing, and allowed by its hash only. */
const pageStyle = `
:root { color-scheme: light dark; --paper: #e9eff3; --card: #fff; --ink: #17202c; --soft: #4a5766; --line: #7d8996;
  --brand: #0b4f6c; --brand-deep: #08384d; --brand-ink: #fff; --go: #0b4f6c; --go-ink: #fff; --tint: #eef4f8;
  --alarm: #a11225; --alarm-paper: #fdf0f1; --alarm-ink: #7a0e1c; --focus: #b45f06; }
@media (prefers-color-scheme: dark) { :root { --paper: #0f161d; --card: #18222c; --ink: #e6edf4; --soft: #a3b1c0;
  --line: #67788a; --go: #22759a; --go-ink: #fff; --tint: #203040; --alarm: #ff8f9b; --alarm-paper: #3b1a21;
  --alarm-ink: #ffd0d5; --focus: #f5a742; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, "Segoe UI", sans-serif; }
header { background: linear-gradient(100deg, var(--brand-deep), var(--brand)); color: var(--brand-ink); }
header > div { max-width: 34rem; margin: 0 auto; padding: 0.9rem 1.25rem; display: flex; align-items: center; gap: 0.7rem;
  font-weight: 650; font-size: 1.125rem; letter-spacing: 0.01em; }
header svg { width: 1.9rem; height: 1.9rem; flex: none; }
header .badge { margin-left: auto; font-weight: 500; border: 1px solid currentColor; border-radius: 1rem;
  padding: 0.05rem 0.7rem; font-size: 0.875rem; }
main { max-width: 34rem; margin: 1.75rem auto; padding: 1.75rem 1.9rem 1.9rem; background: var(--card);
  border-radius: 0.9rem; box-shadow: 0 1px 2px rgb(20 30 45 / 16%), 0 8px 28px rgb(20 30 45 / 10%); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
.requester { display: flex; gap: 0.9rem; align-items: center; margin: 0 0 1.25rem; }
.requester p { margin: 0; overflow-wrap: anywhere; }
.requester small { color: var(--soft); font-size: 0.9375rem; }
.requester .mark { flex: none; width: 2.75rem; height: 2.75rem; border-radius: 0.75rem; background: var(--brand); color: var(--brand-ink);
  font-size: 1.375rem; font-weight: 700; display: grid; place-items: center; overflow: hidden; }
label.title, legend { font-weight: 600; padding: 0; }
.hint { color: var(--soft); font-size: 0.9375rem; margin: 0.1rem 0 0.4rem; }
.hint code { font-size: 0.9375rem; }
input[type="text"] { display: block; width: 100%; max-width: 18rem; font: inherit; font-size: 1.125rem; color: inherit;
  background: var(--card); letter-spacing: 0.08em; padding: 0.65rem 0.8rem; border: 2px solid var(--line); border-radius: 0.5rem; }
input[aria-invalid="true"] { border-color: var(--alarm); }
.field, fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: 0.8rem; align-items: flex-start; padding: 0.8rem 0.9rem; margin-top: 0.55rem;
  border: 1px solid var(--line); border-radius: 0.5rem; cursor: pointer; }
.choice:hover { background: var(--tint); }
.choice:has(input:checked) { border-color: var(--go); box-shadow: inset 0 0 0 1px var(--go); background: var(--tint); }
.choice input { width: 1.3rem; height: 1.3rem; margin: 0.12rem 0 0; flex: none; accent-color: var(--go); }
.choice small { display: block; color: var(--soft); font-size: 0.9375rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.alert { border-left: 5px solid var(--alarm); background: var(--alarm-paper); color: var(--alarm-ink); padding: 0.75rem 0.95rem;
  margin: 0 0 1.25rem; border-radius: 0 0.4rem 0.4rem 0; }
.alert p { margin: 0; }
.note { border-left: 5px solid var(--go); background: var(--tint); padding: 0.75rem 0.95rem; border-radius: 0 0.4rem 0.4rem 0; }
dl.summary { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.4rem 1.25rem; margin: 0 0 1.5rem;
  padding: 1rem 1.1rem; background: var(--tint); border-radius: 0.6rem; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button { font: inherit; font-weight: 600; padding: 0.7rem 1.6rem; border-radius: 0.5rem; cursor: pointer; min-height: 2.75rem;
  border: 2px solid var(--go); background: var(--go); color: var(--go-ink); }
button:hover { filter: brightness(0.9); }
button.second { background: transparent; color: var(--ink); border-color: var(--line); }
button.second:hover { background: var(--tint); filter: none; }
footer { max-width: 34rem; margin: 0 auto 2rem; padding: 0 1.9rem; color: var(--soft); font-size: 0.9375rem; }
@media (max-width: 36rem) { body { background: var(--card); } main { margin: 0; padding: 1.35rem 1.2rem; border-radius: 0; box-shadow: none; }
  dl.summary { grid-template-columns: minmax(0, 1fr); gap: 0; } dd + dt { margin-top: 0.6rem; }
  .actions button { flex: 1 1 100%; } input[type="text"] { max-width: none; } footer { padding: 0 1.2rem; } }
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); } }
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
<header><div><svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M4 12 16 5l12 7v2.500H4zM6.500 16.500h3.500v8H6.500zm7.750 0h3.500v8h-3.500zm7.750 0h3.500v8h-3.500zM4 26h24v2.500H4z" fill="currentColor"/></svg>Reference Bank<span class="badge">Sandbox</span></div></header>
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
<form method="post" aria-label="${page.title}" action="${new URL(state.baseUrl()).pathname.replace(/\/$/, '') + pagePath(flow.id)}">
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
