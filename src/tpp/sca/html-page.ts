import { Parser } from 'htmlparser2';
import {
  type Attributes,
  formOf,
  type HtmlForm,
  type OpenControl,
  type OpenForm,
  type Row,
  tidy,
  Words,
} from './html-form.ts';

/** A page as a form filler sees it. */
export interface HtmlPage {
  readonly title: string;
  /** What a person reads on it. */
  readonly text: string;
  /** The address that relative ones start from, when the page names it. */
  readonly base: string | undefined;
  /** Where a page that only waits goes on to by itself, or by its script; empty for the page itself. */
  readonly refresh: string | undefined;
  readonly forms: readonly HtmlForm[];
  readonly links: readonly HtmlLink[];
  /** Addresses that its scripts speak of, whatever they do with them. */
  readonly scripted: readonly string[];
  /** The pages that are shown inside of it. */
  readonly frames: readonly string[];
  /** A script sends a form, or may do so once something is pressed. */
  readonly sendsForm: boolean;
  /** A person may see another page than the one that is read here. */
  readonly hasScript: boolean;
}

export interface HtmlLink {
  readonly href: string;
  readonly text: string;
  /** It stands beside what the page is about, as links of a menu do. */
  readonly isBeside: boolean;
}

/**
 * Bounds of what is read, so that no page costs more than its size. The parser searches the open elements at every
 * closing tag. Browsers stop at 512 open elements as well.
 */
const mostCharacters = 2_000_000;
const deepest = 512;
const mostOfScripts = 5_000;
/** Forms, controls, options and links: each is looked at for what it says. */
const mostParts = 3_000;

/** Elements that hold what stands on every page of a site (HTML, sections). */
const besides = new Set(['header', 'nav', 'aside', 'footer']);

/** Elements that hold a control and the words about it. */
const rows = new Set(['p', 'div', 'li', 'tr', 'dd', 'fieldset', 'form', 'body']);

const parts = new Set([
  'a',
  'iframe',
  'frame',
  'form',
  'label',
  'option',
  'select',
  'textarea',
  'button',
  'input',
]);

export function readHtmlPage(html: string): HtmlPage {
  const reader = new PageReader();
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      reader.open(name, new Map(Object.entries(attributes)));
      if (depth > deepest) parser.pause();
    },
    ontext: (text) => reader.hear(text),
    onclosetag(name, isImplied) {
      depth -= 1;
      reader.close(name, isImplied);
    },
  });
  parser.end(html.slice(0, mostCharacters));
  return reader.page();
}

const silence = new Words(0);
const nowhere: Row = { words: silence, controls: 0 };

class PageReader {
  readonly #title = new Words();
  readonly #body = new Words();
  readonly #scripts = new Words(mostOfScripts);
  /** What buttons and others do when they are pressed. */
  readonly #handlers = new Words(mostOfScripts);
  /** What is done once the page is there. */
  readonly #loading = new Words(mostOfScripts);
  readonly #forms: OpenForm[] = [];
  readonly #frames: string[] = [];
  readonly #links: (Omit<HtmlLink, 'text'> & { readonly words: Words })[] = [];
  readonly #labelsById = new Map<string, Words[]>();
  /** Elements that are open and want the text inside them, by name. */
  readonly #listening = new Map<string, Words>();
  #base: string | undefined;
  #refresh: string | undefined;
  #form: OpenForm | undefined;
  #label: Words | undefined;
  #select: OpenControl | undefined;
  /** The words since the last control; nothing while there were none. */
  #before: Words | undefined;
  /** The words since the last control in its row. */
  #after: Words = silence;
  /** The rows that are open, the innermost last. */
  readonly #rows: Row[] = [{ words: new Words(), controls: 0 }];
  /** For each group of controls that is open, whether it is disabled: then nothing inside of it is sent. */
  readonly #fieldsets: boolean[] = [];
  /** How many elements are open that stand beside what the page is about. */
  #besides = 0;
  /** How many templates are open: what stands in them is on no page until a script puts it there (HTML). */
  #templates = 0;
  /** Scripts and styles are not shown. */
  #isHidden = false;
  #hasScript = false;
  #parts = 0;
  readonly #elsewhere: { readonly control: OpenControl; readonly form: string }[] = [];

  page(): HtmlPage {
    const formsById = new Map<string, OpenForm>();
    for (const form of this.#forms) {
      const id = form.attributes.get('id');
      if (id !== undefined && !formsById.has(id)) formsById.set(id, form);
    }
    for (const { control, form } of this.#elsewhere) formsById.get(form)?.controls.push(control);
    return {
      title: tidy(this.#title.text),
      text: tidy(this.#body.text),
      base: this.#base,
      refresh: this.#refresh ?? scriptedRefreshIn(this.#scripts.text),
      forms: this.#forms.map((form) => formOf(form, this.#labelsById)),
      links: this.#links.map(({ words, ...link }) => ({ ...link, text: tidy(words.text) })),
      scripted: addressesIn(`${this.#scripts.text};${this.#handlers.text}`),
      frames: this.#frames,
      sendsForm: /\b(?:requestS|s)ubmit ?\(/.test(`${this.#scripts.text};${this.#loading.text}`),
      hasScript: this.#hasScript,
    };
  }

  hear(text: string): void {
    if (this.#templates > 0) return;
    if (this.#isHidden) {
      this.#scripts.hear(text);
      return;
    }
    if (!this.#listening.has('title')) this.#body.hear(text);
    this.#before ??= new Words();
    this.#before.hear(text);
    if (this.#select === undefined && !this.#listening.has('button')) {
      this.#after.hear(text);
      this.#rows.at(-1)?.words.hear(text);
    }
    // What a list offers is said by its options, and not by the label around it.
    for (const [name, words] of this.#listening)
      if (this.#select === undefined || name === 'option') words.hear(text);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'template') this.#templates += 1;
    if (this.#templates > 0) return;
    if (besides.has(name)) this.#besides += 1;
    this.#hasScript ||= name === 'script';
    for (const [attribute, value] of attributes) if (attribute.startsWith('on')) this.#handle(value);
    this.#loading.hear(attributes.get('onload') ?? '');
    if (rows.has(name)) {
      this.#rows.push({ words: new Words(), controls: 0 });
      this.#after = silence;
    }
    if (parts.has(name)) {
      this.#parts += 1;
      if (this.#parts > mostParts) return;
    }
    switch (name) {
      case 'title':
        this.#listening.set(name, this.#title);
        break;
      case 'script':
      case 'style':
        this.#isHidden = true;
        break;
      case 'base':
        this.#base ??= attributes.get('href');
        break;
      case 'meta':
        if (/^refresh$/i.test(attributes.get('http-equiv') ?? ''))
          this.#refresh ??= refreshIn(attributes.get('content') ?? '');
        break;
      case 'a':
        this.#openLink(attributes);
        break;
      case 'form':
        this.#form = { attributes, isBeside: this.#besides > 0, controls: [] };
        // One that only closes a dialogue is sent nowhere (HTML, form submission).
        if (!/^dialog$/i.test(attributes.get('method') ?? '')) this.#forms.push(this.#form);
        break;
      case 'iframe':
      case 'frame':
        this.#frames.push(attributes.get('src') ?? '');
        break;
      case 'fieldset':
        this.#fieldsets.push(attributes.has('disabled'));
        break;
      case 'label':
        this.#openLabel(attributes);
        break;
      case 'option':
        this.#openOption(attributes);
        break;
      case 'select':
        this.#select = this.#addControl(name, attributes);
        break;
      case 'textarea':
      case 'button':
        this.#listening.set(name, this.#addControl(name, attributes).inside);
        break;
      case 'input':
        this.#addControl(name, attributes);
        break;
      default:
        // Words in neighbouring elements are no single word.
        this.hear(' ');
    }
  }

  close(name: string, isImplied: boolean): void {
    if (this.#templates > 0) {
      if (name === 'template') this.#templates -= 1;
      return;
    }
    if (besides.has(name)) this.#besides -= 1;
    if (rows.has(name)) {
      this.#rows.pop();
      this.#after = silence;
    }
    if (name === 'script' || name === 'style') this.#isHidden = false;
    // A form goes on until its own closing tag, whatever is closed around it (HTML, the form element pointer).
    if (name === 'form' && !isImplied) this.#form = undefined;
    if (name === 'fieldset') this.#fieldsets.pop();
    if (name === 'label') this.#label = undefined;
    if (name === 'select') {
      this.#select = undefined;
      this.#listening.delete('option');
    }
    if (!this.#listening.delete(name)) this.hear(' ');
  }

  #handle(script: string): void {
    this.#hasScript = true;
    this.#handlers.hear(`${script};`);
  }

  #openLink(attributes: Attributes): void {
    if (/^javascript:/i.test(attributes.get('href') ?? '')) this.#hasScript = true;
    const words = new Words();
    this.#links.push({ href: attributes.get('href') ?? '', isBeside: this.#besides > 0, words });
    this.#listening.set('a', words);
  }

  #openLabel(attributes: Attributes): void {
    const words = new Words();
    this.#label = words;
    this.#listening.set('label', words);
    const id = attributes.get('for');
    // One label to a control: further ones would be repeated as often as the page likes.
    if (id !== undefined && !this.#labelsById.has(id)) this.#labelsById.set(id, [words]);
  }

  #openOption(attributes: Attributes): void {
    const words = new Words();
    this.#select?.options.push({ attributes, words });
    this.#listening.set('option', words);
  }

  #addControl(element: string, attributes: Attributes): OpenControl {
    const control: OpenControl = {
      element,
      attributes,
      inside: new Words(),
      before: this.#before ?? silence,
      labels: this.#label === undefined ? [] : [this.#label],
      row: this.#rows.at(-1) ?? nowhere,
      after: new Words(),
      options: [],
    };
    this.#before = undefined;
    this.#after = control.after;
    if (attributes.get('type')?.toLowerCase() !== 'hidden') control.row.controls += 1;
    if (this.#fieldsets.includes(true)) return control;
    const form = attributes.get('form');
    if (form !== undefined) this.#elsewhere.push({ control, form });
    else this.#form?.controls.push(control);
    return control;
  }
}

/** A PSU is not left before a page for longer. */
const mostSecondsOfWaiting = 30;

/**
 * Where a page of `<meta http-equiv=refresh>`, or of a header Refresh, goes on to: empty for the page itself, where it
 * names no address and comes back within seconds, as one that waits for an app does.
 */
export function refreshIn(content: string): string | undefined {
  // White space is single by now: runs of it would be tried in every way that the pattern can share them out.
  const told = tidy(content);
  // A page that leaves after minutes ends a session that nobody uses; its own way on is another.
  if (Number.parseFloat(told) > mostSecondsOfWaiting) return undefined;
  const address = /^[\d.]* ?[;,]? ?url ?= ?["']?([^"']*)/i.exec(told)?.[1];
  return address ?? (/^(?:\d|10)(?:\.\d*)? ?[;,]?$/.test(told) ? '' : undefined);
}

/** Where the script of a page goes on to, when it says so in one word: `location.replace("…")`, `location.href = "…"`. */
function scriptedRefreshIn(script: string): string | undefined {
  const literal = /\blocation(?:\.href)? ?(?:=|\.(?:replace|assign)\() ?(?:"([^"]+)"|'([^']+)')/.exec(
    tidy(script),
  );
  const text = literal?.[1] ?? literal?.[2];
  return text === undefined ? undefined : unescaped(text);
}

/** The texts of a script that are whole addresses. */
const addressesIn = (script: string): readonly string[] =>
  [...script.matchAll(/"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`/g)]
    .map(([, double, single, template]) => unescaped(double ?? single ?? template ?? ''))
    .filter((text) => /^[a-z][a-z\d+.-]*:\/\//i.test(text));

const unescaped = (literal: string): string =>
  literal.replace(
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi,
    (_, unicode?: string, byte?: string, plain?: string) => plain ?? characterOf(unicode ?? byte ?? ''),
  );

const characterOf = (hexadecimal: string): string => String.fromCharCode(Number.parseInt(hexadecimal, 16));
