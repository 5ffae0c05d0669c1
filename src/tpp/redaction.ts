import { decodeWord } from '../signing/encoded-word.ts';
import { isUuid } from '../spec/formats.ts';
import { parsedJson } from '../spec/json.ts';
import { proxySecrets, type TargetProxy } from '../target/proxy.ts';
import { PackedRuns } from './compressed-runs.ts';
import { type CustomerData, replacedInJson, replacedInPage, valuesIn } from './customer-data.ts';
import { decodedText } from './decoded-text.ts';
import { encodedIn } from './encoded-runs.ts';
import type { Exchange, HeaderLine } from './exchange.ts';
import { isPseudonym, KnownSecrets, tellingLength } from './known-secrets.ts';
import {
  longRuns,
  type SecretKind,
  type SecretPlace,
  secretByName,
  secretParameters,
  secretsByForm,
} from './secret-forms.ts';

/** What names a person and their session. */
interface PersonIds {
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId?: string;
  readonly nationalId?: string;
}

/** What is known to be secret before anything was sent. */
export interface Secrets {
  readonly psu: PersonIds & {
    readonly form?: { readonly fields?: Readonly<Record<string, string>> };
    readonly corporate?: PersonIds;
    readonly expired?: PersonIds;
    readonly other?: PersonIds;
  };
  readonly customHeaders: Readonly<Record<string, string>>;
  readonly proxy?: TargetProxy;
  /** Accounts of the target file: in a sandbox they are shown, although some look like national identity numbers. */
  readonly accounts?: object;
  /** Where it is known and no sandbox, those whom the bank tells of are real. */
  readonly environment?: string;
}

export interface RedactionOptions {
  /** Shows mocked people and their sessions, for whoever looks for a fault in a sandbox. Never keys. */
  readonly showTestData?: boolean;
}

/** Headers whose values identify a person, open a door, or carry a whole certificate. */
const secretHeaders: Readonly<Record<string, SecretKind>> = {
  'x-psu-identity': 'national-id',
  'psu-id': 'psu-id',
  'psu-corporate-id': 'psu-corporate-id',
  'tpp-session-id': 'session',
  authorization: 'authorisation',
  'proxy-authorization': 'authorisation',
  cookie: 'cookie',
  'set-cookie': 'cookie',
  'tpp-signature-certificate': 'certificate',
};

const testData: ReadonlySet<SecretKind> = new Set([
  'national-id',
  'psu-id',
  'psu-corporate-id',
  'session',
  'parameter',
  'form-field',
  'person',
  'account',
  'address',
  'amount',
  'transaction',
  'page-text',
]);

/** So many texts that the suite itself has sent are known in answers: a run makes up some thousands. */
const mostSent = 50_000;
/** What is shorter is no account and no name of a person, or occurs in any text. */
const shortestLearned = 6;
const mostLearned = 500;

/** What was encoded so often, each time as a whole, is not taken apart any further. */
const mostWrappings = 3;

/** Longer texts are rarely the same twice. */
const shortText = 120;
const mostShownTexts = 2_000;

/**
 * The one way by which anything leaves the process: it hides what is secret by its form, by the name that it stands
 * under, or because it is known, and puts a pseudonym in its place that stays the same, so that evidence can still be
 * followed.
 */
export class Redactor {
  readonly #showsTestData: boolean;
  readonly #customHeaders: ReadonlySet<string>;
  readonly #accounts: ReadonlySet<string>;
  readonly #areReal: boolean;
  /** What requests of ours said before any answer did: nobody has told us that. */
  readonly #sent = new Set<string>();
  readonly #customers = new Set<string>();
  readonly #pseudonyms = new Map<string, string>();
  /** By what is the same but for capitals, in how many ways it was written: none of them is another one's pseudonym. */
  readonly #spellings = new Map<string, { readonly name: string; count: number }>();
  readonly #counts = new Map<SecretKind, number>();
  readonly #known = new KnownSecrets();
  /** Short texts as they are shown, as long as nothing new is known: headers say the same thousands of times. */
  readonly #shownTexts = new Map<string, string>();
  /** Rises with everything that becomes known. */
  #knowledge = 0;
  /** Exchanges that were made ready to be shown, and what was known then. */
  readonly #shownExchanges = new WeakMap<object, number>();
  /** A control is shown by every check that it speaks for. */
  readonly #shownAs = new WeakMap<Exchange, Exchange>();

  constructor(
    { psu, customHeaders, proxy, accounts = {}, environment = 'sandbox' }: Secrets = {
      psu: {},
      customHeaders: {},
    },
    { showTestData = false }: RedactionOptions = {},
  ) {
    this.#showsTestData = showTestData;
    this.#customHeaders = new Set(Object.keys(customHeaders).map((name) => name.toLowerCase()));
    this.#areReal = environment !== 'sandbox';
    const ofTheFile = valuesIn(accounts).filter((value) => /^[A-Z]{0,2}\d[\dA-Z]{5,}$/i.test(value));
    this.#accounts = new Set(this.#areReal ? [] : ofTheFile);
    const people: readonly PersonIds[] = [psu, psu.corporate ?? {}, psu.expired ?? {}, psu.other ?? {}];
    const known: readonly (readonly [SecretKind, string | undefined])[] = [
      ...people.flatMap(({ id, corporateId, sessionId, nationalId }) => [
        ['national-id', nationalId] as const,
        ['psu-id', id] as const,
        ['psu-corporate-id', corporateId] as const,
        ['session', sessionId] as const,
      ]),
      ...Object.values(customHeaders).map((value) => ['custom-header', value] as const),
      ...proxySecrets(proxy).map((value) => ['password', value] as const),
      ...Object.values(psu.form?.fields ?? {}).map((value) => ['form-field', value] as const),
    ];
    for (const [kind, value] of known) if (value !== undefined) this.know(kind, value);
    if (this.#areReal) for (const value of ofTheFile) this.#knowCustomer('account', value);
  }

  /** Hides a value from now on, wherever it stands. */
  know(kind: SecretKind, value: string): void {
    const meant = decodedText(value.trim()).text;
    if (!this.#known.know(kind, meant)) return;
    this.#learnedSomething();
    this.#pseudonym(kind, meant);
  }

  /** Remembers what an exchange shows to be secret, so that it is hidden where somebody repeats it. */
  learn({ operation, request, response }: Exchange): void {
    for (const [name, value] of [...request.headers, ...(response?.headers ?? [])]) {
      const kind = secretHeaders[name.toLowerCase()] ?? secretByName(name);
      if (kind !== undefined && kind !== 'certificate') this.#learn(kind, value);
      if (kind === 'cookie') this.#learn(kind, /=([^;]*)/.exec(value)?.[1] ?? '');
    }
    if (isForm(request.headers)) {
      for (const { kind, value } of secretsByForm(request.body)) this.#learn(kind, value);
      return;
    }
    if (this.#showsTestData) return;
    if (this.#sent.size < mostSent)
      for (const value of valuesIn(parsedJson(request.body))) this.#sent.add(value);
    // What is read of a payment was in its order, as far as it tells of anybody.
    if (this.#areReal && !/payment|basket/i.test(operation)) this.#customersIn(response);
  }

  /** In production those whom an answer tells of are hidden from then on, wherever somebody names them. */
  #customersIn(response: Exchange['response']): void {
    if (response === undefined || response.status >= 400) return;
    replacedInJson(response.body, false, (kind, value) => {
      if (kind === 'account' || (kind === 'person' && /\S\s+\S/.test(value))) this.#knowCustomer(kind, value);
      return value;
    });
  }

  #knowCustomer(kind: CustomerData, value: string): void {
    if (value.length < shortestLearned || this.#customers.size >= mostLearned || isPseudonym(value)) return;
    if (this.#customers.has(value) || this.#sent.has(value)) return;
    this.#customers.add(value);
    this.know(kind, value);
  }

  /** Text as it may be shown. */
  text(text: string): string {
    if (text.length > shortText) return this.#hide(text);
    const known = this.#shownTexts.get(text);
    if (known !== undefined) return known;
    const shown = this.#hide(text);
    if (this.#shownTexts.size >= mostShownTexts) this.#shownTexts.clear();
    this.#shownTexts.set(text, shown);
    return shown;
  }

  #learnedSomething(): void {
    this.#knowledge += 1;
    this.#shownTexts.clear();
  }

  /** The exchange as it may be shown. */
  exchange(exchange: Exchange): Exchange {
    this.learn(exchange);
    const before = this.#shownAs.get(exchange);
    if (before !== undefined && this.#shownExchanges.get(before) === this.#knowledge) return before;
    const { request, response, trouble } = exchange;
    const shown: Exchange = {
      ...exchange,
      purpose: this.text(exchange.purpose),
      request: {
        ...request,
        url: this.text(request.url),
        headers: this.#headers(request.headers),
        body: isForm(request.headers) ? this.#form(request.body) : this.text(request.body),
      },
      ...(trouble === undefined ? {} : { trouble: { ...trouble, message: this.text(trouble.message) } }),
      ...(response === undefined
        ? {}
        : {
            response: {
              ...response,
              headers: this.#headers(response.headers),
              body: this.text(this.#withoutCustomers(exchange)),
            },
          }),
    };
    this.#shownExchanges.set(shown, this.#knowledge);
    this.#shownAs.set(exchange, shown);
    return shown;
  }

  /** A sentence about an answer, which may quote it. */
  told(text: string): string {
    return this.text(replacedInJson(text, true, (kind, value) => this.#customer(kind, value)));
  }

  #withoutCustomers({
    operation,
    response: { status, body } = { status: 0, headers: [], body: '' },
  }: Exchange): string {
    const replace = (kind: CustomerData, value: string): string => this.#customer(kind, value);
    return /^\s*</.test(body) && operation === 'other'
      ? replacedInPage(body, replace)
      : replacedInJson(body, status >= 400, replace);
  }

  /** What is secret anyway has a pseudonym of its own, and what the user or the suite has made up is no secret. */
  #customer(kind: CustomerData, value: string): string {
    const shown = this.text(value);
    const isShown =
      shown !== value ||
      !this.#isHidden(kind) ||
      isPseudonym(value) ||
      this.#sent.has(value) ||
      [...this.#accounts].some((account) => value.includes(account));
    return isShown ? shown : this.#shown(kind, value);
  }

  /** Anything that is to be written: every text in it, however deep, names of members included. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T;
    if (typeof value !== 'object' || value === null) return value;
    if (this.#shownExchanges.get(value) === this.#knowledge) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item)) as T;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.text(name), this.value(member)]),
    ) as T;
  }

  #headers(lines: readonly HeaderLine[]): readonly HeaderLine[] {
    return lines.map((line) => {
      const [name, value] = this.#shownLine(line);
      // Most lines are shown as they are, by thousands of exchanges.
      return name === line[0] && value === line[1] ? line : [name, value];
    });
  }

  #shownLine([name, value]: HeaderLine): HeaderLine {
    const lower = name.toLowerCase();
    const kind = this.#customHeaders.has(lower)
      ? 'custom-header'
      : (secretHeaders[lower] ?? secretByName(name));
    if (kind !== undefined && this.#isHidden(kind)) {
      return [name, value === '' || isPseudonym(value) ? value : this.#shown(kind, value)];
    }
    if (lower === 'location') return [name, this.#hide(value, secretParameters)];
    if (lower === 'signature') return [name, this.#hide(decodedWord(value), longRuns)];
    return [this.text(name), this.text(value)];
  }

  /** The names of the fields, and nothing of what was filled in: passwords and one-time codes are among it. */
  #form(body: string): string {
    if (!this.#isHidden('form-field')) return this.text(body);
    if (body.startsWith('--')) return this.#multipartForm(body);
    return body
      .split('&')
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=', 2);
        return `${this.text(name)}=${value === '' || isPseudonym(value) ? value : this.#shown('form-field', decodedText(value).text)}`;
      })
      .join('&');
  }

  /** What stands between the head of a part and the line that begins the next one (RFC 7578). */
  #multipartForm(body: string): string {
    const [boundary = ''] = body.split('\r\n', 1);
    return body
      .split(boundary)
      .map((part) => {
        const end = part.indexOf('\r\n\r\n');
        if (end < 0) return part;
        const value = part.slice(end + 4).replace(/\r\n$/, '');
        const shown = value === '' || isPseudonym(value) ? value : this.#shown('form-field', value);
        return `${this.text(part.slice(0, end))}\r\n\r\n${shown}\r\n`;
      })
      .join(boundary);
  }

  #hide(text: string, furtherIn: (text: string) => readonly SecretPlace[] = () => []): string {
    if (text.length < tellingLength) return text;
    const decoded = decodedText(text);
    const placesIn = (looked: string): readonly SecretPlace[] => [
      ...this.#placesIn(looked),
      ...furtherIn(looked),
    ];
    const meant = placesIn(decoded.text).map((place) => ({
      ...place,
      start: decoded.placeOf(place.start),
      end: decoded.placeOf(place.end),
    }));
    // Digits behind a sign may be taken for a code that they are not.
    const written = decoded.text === text ? [] : placesIn(text);
    const places = [...meant, ...written]
      .filter(({ kind, value }) => this.#isHidden(kind) && !this.#accounts.has(value))
      .toSorted((a, b) => a.start - b.start || b.end - a.end);
    let shown = '';
    let upTo = 0;
    for (const { start, end, kind, value } of places) {
      if (end <= upTo) continue;
      if (start >= upTo) shown += text.slice(upTo, start) + this.#shown(kind, value, text.slice(start, end));
      // What overlaps is hidden as part of what began before.
      upTo = end;
    }
    return upTo === 0 ? text : shown + text.slice(upTo);
  }

  /** What is known or has the form, as it stands there or encoded. */
  #placesIn(text: string, packed = new PackedRuns(), wrappings = 0): readonly SecretPlace[] {
    const places = [...this.#known.placesIn(text), ...secretsByForm(text, this.#known.numbers)];
    if (wrappings >= mostWrappings) return places;
    const { runs, ders } = encodedIn(text, packed);
    places.push(...ders);
    for (const run of runs) {
      const decoded = decodedText(run.text);
      for (const place of this.#placesIn(decoded.text, packed, wrappings + 1)) {
        const [start, end] = run.spanOf(decoded.placeOf(place.start), decoded.placeOf(place.end));
        places.push({ ...place, start, end });
      }
    }
    return places;
  }

  #learn(kind: SecretKind, value: string): void {
    if (this.#known.learn(kind, value)) this.#learnedSomething();
  }

  #isHidden(kind: SecretKind): boolean {
    return !this.#showsTestData || !testData.has(kind);
  }

  #shown(kind: SecretKind, value: string, written: string = value): string {
    const isSpelling = written.toLowerCase() === value.toLowerCase();
    const isCut = !isSpelling && value.toLowerCase().startsWith(written.toLowerCase());
    const name = this.#pseudonym(kind, isSpelling ? written : value);
    const isOrdinary = kind === 'national-id' || isUuid(value);
    const length = value.length === 1 ? '1 character' : `${value.length} characters`;
    return `[${name}${isOrdinary ? '' : ` of ${length}`}${isCut ? ` cut to ${written.length}` : ''}, redacted]`;
  }

  #pseudonym(kind: SecretKind, value: string): string {
    const given = this.#pseudonyms.get(value);
    if (given !== undefined) return given;
    const spelling = this.#spellings.get(value.toLowerCase());
    const number = (this.#counts.get(kind) ?? 0) + 1;
    const name =
      spelling === undefined ? `${kind}#${number}` : `${spelling.name} in spelling ${spelling.count + 1}`;
    if (spelling === undefined) {
      this.#counts.set(kind, number);
      this.#spellings.set(value.toLowerCase(), { name, count: 1 });
    } else spelling.count += 1;
    this.#pseudonyms.set(value, name);
    return name;
  }
}

/** An encoded word with what it says: who has signed is no secret, and may be what is wrong. */
function decodedWord(value: string): string {
  try {
    const decoded = decodeWord(value);
    return decoded === value ? value : `(${/^=\?[^?]*\?[^?]*\?/.exec(value)?.[0]}…?=) ${decoded}`;
  } catch {
    return value;
  }
}

const isForm = (headers: readonly HeaderLine[]): boolean =>
  headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /x-www-form-urlencoded|multipart\/form-data/i.test(value),
  );
