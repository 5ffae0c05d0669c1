import type { BankAnswer } from '../route.ts';
import { type Html, html } from './html.ts';
import { pageStyle, pageStyleHash } from './page-style.ts';

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
