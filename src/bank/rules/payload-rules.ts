import { isUtf8 } from 'node:buffer';
import { isJsonMediaType } from '../../spec/media-type.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankRequest, oncePerRequest, type Rule, rule } from '../design/route.ts';

/** What the service does: payloads are JSON in UTF-8, with characters that the systems behind can process. */
export function payloadRules(design: BankDesign): readonly Rule[] {
  const oddityIn = oncePerRequest(({ body }) => oddity(body, design.isProcessable));
  return [
    rule('TRN-01', 'the payload is JSON', 'contentType', (request) =>
      isJsonType(request)
        ? undefined
        : {
            text: 'The payload is not sent as JSON: send Content-Type: application/json.',
            path: 'Content-Type',
          },
    ),
    rule('TRN-13', 'the payload is encoded in UTF-8', 'json', ({ bytes }) =>
      isInUtf8(bytes) ? undefined : { text: 'The body is not encoded in UTF-8.' },
    ),
    rule('TRN-02', 'the payload is well-formed JSON', 'json', (request) =>
      request.body === undefined && isJsonType(request) && isInUtf8(request.bytes)
        ? { text: 'The body is not well-formed JSON.' }
        : undefined,
    ),
    rule('TRN-02', 'the payload is a JSON object', 'json', ({ body }) =>
      body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))
        ? { text: 'The body is not a JSON object.' }
        : undefined,
    ),
    rule(
      'ERR-06',
      'the payload is no deeper than a payment needs and names no prototype',
      'json',
      (request) => {
        const found = oddityIn(request);
        return found?.kind === 'structure' ? { text: found.text, path: found.path } : undefined;
      },
      { ownChoice: true },
    ),
    rule(
      'TRN-06',
      'every character can be processed',
      'character',
      (request) => {
        const found = oddityIn(request);
        return found?.kind === 'character' ? { text: found.text, path: found.path } : undefined;
      },
      { ownChoice: true },
    ),
  ];
}

/** JSON has no zero in it (RFC 8259, 7), and every letter of ASCII has one in UTF-16. */
const isInUtf8 = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/** A body without a type is taken for JSON, the only kind of payload there is. */
function isJsonType(request: BankRequest): boolean {
  const type = request.header('content-type');
  return type === undefined || type === '' || isJsonMediaType(type);
}

/** Outside the Basic Multilingual Plane (emoji), halves of surrogate pairs, and control characters but white space. */
const unprocessable = /[\u{10000}-\u{10FFFF}\p{Cs}]|(?![\t\n\r])\p{Cc}/u;
export const isProcessableText = (text: string): boolean => !unprocessable.test(text);

interface Oddity {
  readonly kind: 'structure' | 'character';
  readonly text: string;
  readonly path: string;
}

const greatestDepth = 16;

function oddity(
  value: unknown,
  isProcessable: (text: string) => boolean,
  path = '',
  depth = 0,
): Oddity | undefined {
  const character: Oddity = { kind: 'character', text: 'A character cannot be processed.', path };
  if (typeof value === 'string') return isProcessable(value) ? undefined : character;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= greatestDepth) return { kind: 'structure', text: 'The body is nested too deeply.', path };
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (name === '__proto__') return { kind: 'structure', text: 'A member cannot have this name.', path: at };
    if (!isProcessable(name)) return character;
    const found = oddity(member, isProcessable, at, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
