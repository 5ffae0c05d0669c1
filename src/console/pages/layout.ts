import { type Html, html } from '../../bank/sca/html.ts';

export type PageName = 'requests' | 'bank' | 'certification' | 'run';

export interface Layout {
  readonly title: string;
  readonly current: PageName | undefined;
  readonly baseUrl: string;
  /** Which pages there are. */
  readonly pages: readonly PageName[];
  readonly content: Html;
}

const titles: Readonly<Record<PageName, string>> = {
  requests: 'Requests',
  bank: 'The bank by hand',
  certification: 'Certification',
  run: 'Run',
};

const addresses: Readonly<Record<PageName, string>> = {
  requests: '/console',
  bank: '/console/bank',
  certification: '/console/certification',
  run: '/console/run',
};

const consoleName = (pages: readonly PageName[]): string =>
  pages.includes('run') ? 'Conformance run' : 'Sandbox console';

/** A page of the console. What it shows of others is text: `html` escapes it, and the policy lets no script of a page run. */
export const page = ({ title, current, baseUrl, pages, content }: Layout): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} – ${consoleName(pages).toLowerCase()}</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/style.css">
<script type="module" src="/console/script.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<strong>${consoleName(pages)}</strong>
<nav aria-label="Console">${pages.map(
    (name) =>
      html`<a href="${addresses[name]}"${name === current && html` aria-current="page"`}>${titles[name]}</a>`,
  )}</nav>
<span class="where">${baseUrl}</span>
<span class="live" id="live" role="status">connecting</span>
</header>
<main id="main">
${content}
</main>
</body>
</html>
`.markup;

export const statusBadge = (status: number): Html =>
  html`<span class="badge s${String(status).slice(0, 1)}">${status}</span>`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b4f6c"/><path d="M6 13 16 7l10 6v2H6zm2 4h3v7H8zm6.500 0h3v7h-3zm6.500 0h3v7h-3zM6 25h20v2H6z" fill="#fff"/></svg>`;
