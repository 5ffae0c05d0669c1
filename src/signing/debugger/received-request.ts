import { withoutSurroundingWhitespace } from '../signing-string.ts';

/** A request as a bank receives it. Header values are ISO-8859-1, byte for byte, as Node hands them out. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where nobody told: `curl -v` does not print it. */
  readonly body: Buffer | undefined;
  /** What the source cannot tell exactly. */
  readonly remarks: readonly string[];
}

/** A file that holds no request. */
export class ReceivedRequestError extends Error {
  override readonly name = 'ReceivedRequestError';
}

/** A request of this interface has a few kilobytes; more is no request that anybody debugs. */
const most = { bytes: 4 * 1024 * 1024, headers: 200, headerBytes: 64 * 1024 } as const;

/** The first value of a header without surrounding white space; undefined when absent. */
export function headerOf(request: ReceivedRequest, name: string): string | undefined {
  const found = request.headers.find(([written]) => written.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : withoutSurroundingWhitespace(found[1]);
}

/**
 * Reads a request from what developers have at hand: the bytes of the request itself, or what curl prints with `-v`,
 * `--trace` or `--trace-ascii`.
 */
export function readReceivedRequest(source: Buffer): ReceivedRequest {
  if (source.length > most.bytes) {
    throw new ReceivedRequestError(
      `It has ${source.length} bytes, and at most ${most.bytes} are read. Keep one request in it.`,
    );
  }
  const text = source.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  if (/^(?:[\d:.]+ )?=> Send (?:header|data)/m.test(text)) return ofTrace(text);
  if (/^> [A-Z]+ \S+/m.test(text)) return ofVerboseOutput(text);
  return ofRawBytes(text);
}

function ofRawBytes(text: string): ReceivedRequest {
  const start = text.search(/\S/);
  const rest = start < 0 ? '' : text.slice(start);
  const blank = /\r?\n\r?\n/.exec(rest);
  const head = blank === null ? rest : rest.slice(0, blank.index);
  const behind = blank === null ? '' : rest.slice(blank.index + blank[0].length);
  const request = ofHead(head.split(/\r?\n/));
  return withBody(request, Buffer.from(behind, 'latin1'));
}

/** An editor adds a line break at the end of a file; Content-Length tells where the body really ends. */
function withBody(request: ReceivedRequest, bytes: Buffer): ReceivedRequest {
  const written = headerOf(request, 'content-length');
  const length = written !== undefined && /^\d{1,9}$/.test(written) ? Number(written) : undefined;
  if (length === undefined || length === bytes.length) return { ...request, body: bytes };
  if (length < bytes.length) return { ...request, body: bytes.subarray(0, length) };
  return {
    ...request,
    body: bytes,
    remarks: [
      `Content-Length is ${length}, but ${bytes.length} bytes of the body are here: line breaks may have been changed, or the end is missing.`,
    ],
  };
}

/** `curl -v`: what was sent stands behind ">". The last request is taken, since redirects are followed in order. */
function ofVerboseOutput(text: string): ReceivedRequest {
  const blocks: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^> [A-Z]+ \S+ HTTP\//.test(line) || (blocks.length === 0 && /^> [A-Z]+ \S+/.test(line)))
      blocks.push([]);
    if (line.startsWith('> ')) blocks.at(-1)?.push(line.slice(2));
  }
  const request = ofHead(blocks.at(-1) ?? []);
  const hasBody =
    headerOf(request, 'content-length') !== undefined || headerOf(request, 'digest') !== undefined;
  return {
    ...request,
    body: hasBody ? undefined : Buffer.alloc(0),
    remarks: hasBody ? ['curl -v does not print the body: give it with --body, or use curl --trace.'] : [],
  };
}

interface TraceBlock {
  readonly kind: 'header' | 'data';
  readonly length: number;
  readonly lines: { readonly offset: number; readonly text: string }[];
}

/** `curl --trace` (hexadecimal, exact) and `--trace-ascii` (a dot for every byte that is not printable). */
function ofTrace(text: string): ReceivedRequest {
  const blocks = traceBlocks(text);
  const first = blocks.findLastIndex(({ kind }) => kind === 'header');
  if (first < 0)
    throw new ReceivedRequestError('The trace holds no request header: "=> Send header" is missing.');
  const [header, ...others] = blocks.slice(first);
  const isHexadecimal = /^(?:[0-9a-f]{2} ){1,16}/.test(header?.lines[0]?.text ?? '');
  const bytesOf = (block: TraceBlock): Buffer => (isHexadecimal ? hexBytes(block) : asciiBytes(block));
  const head = header === undefined ? '' : bytesOf(header).toString('latin1');
  const request = ofHead(head.trimEnd().split(/\r?\n/));
  const body = Buffer.concat(others.filter(({ kind }) => kind === 'data').map(bytesOf));
  return {
    ...request,
    body,
    remarks:
      isHexadecimal || body.length === 0
        ? []
        : [
            '--trace-ascii writes a dot for every byte outside printable ASCII: where the body has such, give it with --body or use --trace.',
          ],
  };
}

function traceBlocks(text: string): readonly TraceBlock[] {
  const blocks: TraceBlock[] = [];
  let current: TraceBlock | undefined;
  for (const line of text.split(/\r?\n/)) {
    const sent = /^(?:[\d:.]+ )?=> Send (header|data), (\d{1,9}) bytes/.exec(line);
    const content = /^([0-9a-f]{4,8}): ?(.*)$/.exec(line);
    if (sent !== null) {
      current = { kind: sent[1] === 'data' ? 'data' : 'header', length: Number(sent[2]), lines: [] };
      blocks.push(current);
    } else if (content !== null) {
      current?.lines.push({ offset: Number.parseInt(content[1] ?? '', 16), text: content[2] ?? '' });
    } else {
      current = undefined;
    }
  }
  return blocks;
}

const hexBytes = ({ lines, length }: TraceBlock): Buffer =>
  Buffer.concat(
    lines.map(({ text }) =>
      Buffer.from((/^(?:[0-9a-f]{2} ?){1,16}/.exec(text)?.[0] ?? '').replaceAll(' ', ''), 'hex'),
    ),
  ).subarray(0, length);

/** Curl breaks its lines at a CRLF, which it leaves out, and after 64 bytes: the offsets tell which it was. */
function asciiBytes({ lines, length }: TraceBlock): Buffer {
  let text = '';
  for (const line of lines) {
    if (line.offset === text.length + 2) text += '\r\n';
    text += line.text;
  }
  if (text.length + 2 === length) text += '\r\n';
  return Buffer.from(text.slice(0, length), 'latin1');
}

function ofHead([requestLine = '', ...lines]: readonly string[]): ReceivedRequest {
  const [, method, target] = /^([A-Z]{1,16}) (\S{1,8192})(?: HTTP\/[\d.]+)?\s*$/.exec(requestLine) ?? [];
  if (method === undefined || target === undefined) {
    throw new ReceivedRequestError(
      'It is neither a raw HTTP request, which begins with a line such as "POST /v1/payments/… HTTP/1.1", nor a trace of curl (-v, --trace, --trace-ascii).',
    );
  }
  const written = lines.filter((line) => line.trim() !== '');
  if (written.length > most.headers || written.join('').length > most.headerBytes) {
    throw new ReceivedRequestError(`It has more than ${most.headers} headers, or more than 64 kB of them.`);
  }
  const headers = written.map((line): readonly [string, string] => {
    const colon = line.indexOf(':', 1);
    if (colon < 1)
      throw new ReceivedRequestError(`A line of its header has no colon: "${line.slice(0, 60)}".`);
    // The one space after the colon is how curl and HTTP libraries write it; anything beyond it is kept to be seen.
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  return { method, target: pathOf(target), headers, body: undefined, remarks: [] };
}

/** A proxy is sent the whole address. */
const pathOf = (target: string): string => {
  if (!/^https?:\/\//.test(target) || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
};

/** Characters that show nothing, or turn around what stands next to them. */
const invisible =
  /[\u{a0}\u{ad}\u{61c}\u{180e}\u{2000}-\u{200f}\u{2028}-\u{202f}\u{205f}-\u{206f}\u{3000}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/g;

const signs: Readonly<Record<string, string>> = { '\n': '↵', '\r': '‹CR›', '\t': '⇥' };

/**
 * A text with what nobody sees made visible: line breaks and tabs as signs, spaces at the ends or next to each other as
 * dots, other invisible characters as their code. What comes out is one line.
 */
export function visibleText(text: string): string {
  return text
    .replace(control, (character) => signs[character] ?? `\\x${hex(character, 2)}`)
    .replace(invisible, (character) => `\\u{${hex(character, 1)}}`)
    .replace(/^ +| +$| {2,}/g, (spaces) => '·'.repeat(spaces.length));
}

const hex = (character: string, digits: number): string =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
