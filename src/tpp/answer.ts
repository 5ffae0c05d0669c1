import type { Exchange } from './exchange.ts';
import { HeaderList } from './header-list.ts';

/** A response, with the exchange that it came by. It judges nothing. */
export class Answer {
  readonly exchange: Exchange;
  readonly status: number;
  readonly headers: HeaderList;
  readonly bytes: Buffer;
  /** An earlier attempt died on the way or was put off, so the bank may have seen this request twice. */
  readonly afterTrouble: boolean;
  #json: { value: unknown } | undefined;

  constructor(exchange: Exchange, bytes: Buffer, afterTrouble: boolean) {
    this.exchange = exchange;
    this.status = exchange.response?.status ?? 0;
    this.headers = new HeaderList(exchange.response?.headers);
    this.bytes = bytes;
    this.afterTrouble = afterTrouble;
  }

  /** The body as JSON; undefined when it is none. */
  get json(): unknown {
    this.#json ??= { value: parse(this.bytes) };
    return this.#json.value;
  }

  /** A member of the JSON body when that is an object. */
  member(name: string): unknown {
    const { json } = this;
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.member(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** The address of a link of that name, wherever the body has it: error bodies are not shown in the specification. */
  link(name: string): string | undefined {
    return findLink(this.json, name, 4);
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** 401 with a scaRedirect link: the bank asks for SCA and refuses nothing else. */
  get asksForSca(): boolean {
    return this.status === 401 && this.link('scaRedirect') !== undefined;
  }

  /** The codes, paths and texts of `tppMessages`, as far as they can be read. */
  get messages(): readonly { readonly code?: string; readonly path?: string; readonly text?: string }[] {
    const messages = this.member('tppMessages');
    if (!Array.isArray(messages)) return [];
    return messages.map(textsOf);
  }
}

/** Whether messages are well-formed is for checks to say; whoever reads them must not stumble. */
function textsOf(message: unknown): { code?: string; path?: string; text?: string } {
  const texts: ReturnType<typeof textsOf> = {};
  if (typeof message !== 'object' || message === null) return texts;
  for (const name of ['code', 'path', 'text'] as const) {
    const value: unknown = Reflect.get(message, name);
    if (typeof value === 'string') texts[name] = value;
  }
  return texts;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function findLink(value: unknown, name: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (key !== name) continue;
    const href = typeof member === 'object' && member !== null ? (member as { href?: unknown }).href : member;
    if (typeof href === 'string') return href;
  }
  for (const member of Object.values(value)) {
    const found = findLink(member, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
