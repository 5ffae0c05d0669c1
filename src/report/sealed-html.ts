import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { htmlText } from './harmless-text.ts';

/** What a page of Allure is made of. */
export interface AllureParts {
  /** Allure's own script. */
  readonly app: string;
  /** What the script is told about the report. */
  readonly options: unknown;
  /** The files that the script reads, by their path. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Unpacks the report, and starts Allure's script. The script
 * asks for each file as base64, which is made when it is asked for: kept that way, the page would be several times as
 * large. In a sandbox, as in the console or in the preview of a build server, a page has no storage, without which
 * Allure does not start: what is chosen there lasts as long as the page. Allure makes a link of each address in a text,
 * and texts are the bank's: no link leads out of the report.
 */
const start = `(async () => {
  const say = (text) => { document.getElementById('app').textContent = text; };
  if (typeof DecompressionStream === 'undefined')
    return say('This browser is too old to unpack the report (it needs one of 2023 or later). report.html opens in any.');
  const lastingStorage = () => {
    try {
      return localStorage !== null;
    } catch {
      return false;
    }
  };
  const storageOfThisPage = () => {
    const kept = new Map();
    return {
      getItem: (name) => kept.get(String(name)) ?? null,
      setItem: (name, value) => void kept.set(String(name), String(value)),
      removeItem: (name) => void kept.delete(String(name)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() { return kept.size; },
    };
  };
  const keepInside = () => {
    for (const link of document.querySelectorAll('#app a[href*=":"]'))
      if (/^[a-z]+:/i.test(link.getAttribute('href'))) link.removeAttribute('href');
  };
  const base64 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  };
  try {
    new MutationObserver(keepInside).observe(document.getElementById('app'),
      { subtree: true, childList: true, attributes: true, attributeFilter: ['href'] });
    if (!lastingStorage())
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { value: storageOfThisPage() });
    const packed = Uint8Array.from(atob(document.getElementById('packed').textContent.trim()), (c) => c.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const { app, options, files, texts } = await new Response(unpacked).json();
    window.allureReportOptions = options;
    window.allure = window.allure || {};
    window.allureReportData = new Proxy(files, {
      get: (_, name) => (Object.hasOwn(files, name) ? base64(new TextEncoder().encode(texts[files[name]])) : undefined),
      has: (_, name) => Object.hasOwn(files, name),
    });
    window.allureReportDataReady = true;
    const script = document.createElement('script');
    script.src = URL.createObjectURL(new Blob([app], { type: 'text/javascript' }));
    document.body.append(script);
  } catch (error) {
    say('The report cannot be unpacked: ' + error + '. Build it again with the command report.');
  }
})();`;

const hashOf = (script: string): string => createHash('sha256').update(script).digest('base64');

/**
 * The browser itself refuses whatever leads outside of the page, and every script but ours and the one that it unpacks.
 * Allure reads its own data as data: and blob: addresses, and puts its styles into the page.
 */
export const policyFor = (scripts: string): readonly string[] => [
  "default-src 'none'",
  `script-src ${scripts}`,
  "style-src 'unsafe-inline' data: blob:",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'connect-src data: blob:',
  'worker-src blob:',
  'frame-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
];

const policy = policyFor(`'sha256-${hashOf(start)}' blob:`).join('; ');

/**
 * Allure's report as one page that opens from the disk and asks nobody for anything: its script and data, packed, in a
 * page of our own. Nothing of Allure's page is taken over, for it carries analytics. It comes in pieces, since as a whole it
 * would stand in memory several times over: as text, as bytes, packed, and in the page.
 */
export async function* sealedPage(parts: AllureParts, title: string): AsyncGenerator<string> {
  yield `<!DOCTYPE html>
<html dir="ltr" lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title>
<style>body { margin: 0; }</style>
</head>
<body>
<div id="app"></div>
<noscript>This report needs the scripts that it holds. report.html needs none.</noscript>
<script type="application/gzip" id="packed">`;
  // Base64 holds nothing that a page could take for markup.
  yield* base64Of(Readable.from(packable(parts)).pipe(createGzip({ level: 9 })));
  yield `</script>
<script>${start}</script>
</body>
</html>
`;
}

/** The JSON of all parts. Allure writes much of its data twice, for all environments and for the only one: each text is kept once. */
function* packable({ app, options, data }: AllureParts): Generator<string> {
  const texts = [...new Set(Object.values(data))];
  const places = new Map(texts.map((text, place) => [text, place]));
  const files = Object.fromEntries(Object.entries(data).map(([path, text]) => [path, places.get(text)]));
  yield `${JSON.stringify({ app, options, files }).slice(0, -1)},"texts":[`;
  for (const [place, text] of texts.entries()) yield `${place === 0 ? '' : ','}${JSON.stringify(text)}`;
  yield ']}';
}

/** Three bytes are four letters: what is left over waits for the next chunk. */
async function* base64Of(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}
