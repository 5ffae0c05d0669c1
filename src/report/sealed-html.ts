/**
 * The browser itself refuses whatever leads outside of the page. Allure's page needs inline and `data:` scripts and
 * styles, and reads its own data as `data:` and `blob:`.
 */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' data: blob:",
  "style-src 'unsafe-inline' data:",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'connect-src data: blob:',
  'worker-src data: blob:',
  'frame-src data: blob:',
  "form-action 'none'",
].join('; ');

const outsideScript = /<script\b[^>]*\bsrc="https?:[^>]*>\s*<\/script>/gi;
const analyticsScript =
  /<script\b[^>]*>(?:(?!<\/script>)[\s\S])*?\bgtag\((?:(?!<\/script>)[\s\S])*?<\/script>/gi;

/**
 * Allure's page with nothing in it that asks the outside for anything. The analytics that it carries is taken out,
 * and a policy keeps out what a later version may bring.
 */
export function sealHtml(html: string): string {
  // The data of a run may hold hundreds of megabytes in one script: only what stands around it is searched.
  const dataStart = html.indexOf('window.allureReportDataReady');
  const end = dataStart === -1 ? html.length : dataStart;
  const shell = html.slice(0, end).replace(outsideScript, '').replace(analyticsScript, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n    <meta name="referrer" content="no-referrer">`;
  return shell.replace(/<meta charset="utf-8">/i, (charset) => `${charset}\n    ${meta}`) + html.slice(end);
}

/** A way to the requirement matrix from every view; Allure itself has no place for a link of the whole report. */
export function linkMatrix(html: string): string {
  const link = `<body>
    <style>
      .matrix-link { position: fixed; z-index: 10; right: 12px; bottom: 48px; padding: 5px 14px; border-radius: 14px;
        background: #1d4f91; color: #fff; font: 600 13px/18px system-ui, sans-serif; text-decoration: none; }
      .matrix-link:hover, .matrix-link:focus-visible { background: #163c6e; outline: 2px solid #8ab4ff; }
      @media print { .matrix-link { display: none; } }
    </style>
    <a class="matrix-link" href="requirements.html">Requirement matrix</a>`;
  return html.replace('<body>', () => link);
}
