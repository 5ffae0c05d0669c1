import { type HtmlToken, htmlTokens } from './html-tokens.ts';

/** A page as a form filler sees it. */
export interface HtmlPage {
  readonly title: string;
  /** What a person reads on it. */
  readonly text: string;
  /** The address that relative ones start from, when the page names it. */
  readonly base: string | undefined;
  /** Where a page that only waits goes on to by itself. */
  readonly refresh: string | undefined;
  readonly forms: readonly HtmlForm[];
  readonly links: readonly HtmlLink[];
}

export interface HtmlForm {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  /** In the order of the page. */
  readonly controls: readonly Control[];
}

export interface HtmlLink {
  readonly href: string;
  readonly text: string;
}

export interface Control {
  readonly kind: 'text' | 'hidden' | 'radio' | 'checkbox' | 'select' | 'button' | 'other';
  readonly name: string;
  readonly value: string;
  /** Everything that tells a person or a guess what it is: name, id, label, placeholder, words of the button. */
  readonly hints: string;
  /** The words next to it alone. */
  readonly label: string;
  readonly checked: boolean;
  readonly options: readonly Option[];
  /** A button may send the form elsewhere. */
  readonly action: string | undefined;
  readonly method: 'GET' | 'POST' | undefined;
}

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

type Attributes = ReadonlyMap<string, string>;
interface Words {
  text: string;
}
interface OpenForm {
  readonly attributes: Attributes;
  readonly controls: OpenControl[];
}
interface OpenControl {
  readonly element: string;
  readonly attributes: Attributes;
  readonly inside: Words;
  readonly labels: Words[];
  readonly options: { readonly attributes: Attributes; readonly words: Words }[];
}

export function readHtmlPage(html: string): HtmlPage {
  return new PageReader().read(htmlTokens(html));
}

class PageReader {
  readonly #title: Words = { text: '' };
  readonly #body: Words = { text: '' };
  readonly #forms: OpenForm[] = [];
  readonly #links: { readonly href: string; readonly words: Words }[] = [];
  readonly #labelsById = new Map<string, Words[]>();
  /** Elements that are open and want the text inside them, by name. */
  readonly #listening = new Map<string, Words>();
  #base: string | undefined;
  #refresh: string | undefined;
  #form: OpenForm | undefined;
  #label: Words | undefined;
  #select: OpenControl | undefined;
  readonly #elsewhere: { readonly control: OpenControl; readonly form: string }[] = [];

  read(tokens: Iterable<HtmlToken>): HtmlPage {
    for (const token of tokens) {
      if (token.kind === 'text') this.#hear(token.text);
      else if (token.kind === 'open') this.#open(token.name, token.attributes);
      else this.#close(token.name);
    }
    for (const { control, form } of this.#elsewhere) {
      this.#forms.find(({ attributes }) => attributes.get('id') === form)?.controls.push(control);
    }
    return {
      title: tidy(this.#title.text),
      text: tidy(this.#body.text),
      base: this.#base,
      refresh: this.#refresh,
      forms: this.#forms.map((form) => this.#finish(form)),
      links: this.#links.map(({ href, words }) => ({ href, text: tidy(words.text) })),
    };
  }

  #hear(text: string): void {
    if (!this.#listening.has('title')) this.#body.text += text;
    for (const words of this.#listening.values()) words.text += text;
  }

  #open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'title':
        this.#listening.set(name, this.#title);
        break;
      case 'base':
        this.#base ??= attributes.get('href');
        break;
      case 'meta':
        if (/^refresh$/i.test(attributes.get('http-equiv') ?? ''))
          this.#refresh ??= /^\s*[\d.]*\s*[;,]?\s*url\s*=\s*["']?([^"']*)/i.exec(
            attributes.get('content') ?? '',
          )?.[1];
        break;
      case 'a':
        this.#openLink(attributes);
        break;
      case 'form':
        this.#form = { attributes, controls: [] };
        this.#forms.push(this.#form);
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
        this.#hear(' ');
    }
  }

  #close(name: string): void {
    if (name === 'form') this.#form = undefined;
    if (name === 'label') this.#label = undefined;
    if (name === 'select') {
      this.#select = undefined;
      this.#listening.delete('option');
    }
    if (!this.#listening.delete(name)) this.#hear(' ');
  }

  #openLink(attributes: Attributes): void {
    const words: Words = { text: '' };
    this.#links.push({ href: attributes.get('href') ?? '', words });
    this.#listening.set('a', words);
  }

  #openLabel(attributes: Attributes): void {
    const words: Words = { text: '' };
    this.#label = words;
    this.#listening.set('label', words);
    const id = attributes.get('for');
    if (id !== undefined) this.#labelsById.set(id, [...(this.#labelsById.get(id) ?? []), words]);
  }

  #openOption(attributes: Attributes): void {
    const words: Words = { text: '' };
    this.#select?.options.push({ attributes, words });
    this.#listening.set('option', words);
  }

  #addControl(element: string, attributes: Attributes): OpenControl {
    const control: OpenControl = {
      element,
      attributes,
      inside: { text: '' },
      labels: this.#label === undefined ? [] : [this.#label],
      options: [],
    };
    const form = attributes.get('form');
    if (form !== undefined) this.#elsewhere.push({ control, form });
    else this.#form?.controls.push(control);
    return control;
  }

  #finish({ attributes, controls }: OpenForm): HtmlForm {
    return {
      action: attributes.get('action') ?? '',
      method: methodIn(attributes.get('method')) ?? 'GET',
      controls: controls
        .filter((control) => !control.attributes.has('disabled'))
        .map((control) => this.#control(control)),
    };
  }

  #control({ element, attributes, inside, labels, options }: OpenControl): Control {
    const kind = kindOf(element, attributes.get('type'));
    const id = attributes.get('id');
    const words = [...labels, ...(id === undefined ? [] : (this.#labelsById.get(id) ?? []))];
    const label = tidy(words.map(({ text }) => text).join(' '));
    const value =
      attributes.get('value') ?? (element === 'textarea' ? inside.text.trim() : valueWithout(kind));
    const told = ['name', 'id', 'placeholder', 'aria-label', 'title', 'autocomplete'].map((key) =>
      attributes.get(key),
    );
    const shown = kind === 'button' ? [tidy(inside.text), value] : [];
    return {
      kind,
      name: attributes.get('name') ?? '',
      value,
      hints: tidy([...told, label, ...shown].join(' ')),
      label: kind === 'button' ? tidy(inside.text) || value : label,
      checked: attributes.has('checked'),
      options: options.map((option) => ({
        value: option.attributes.get('value') ?? tidy(option.words.text),
        text: tidy(option.words.text),
        selected: option.attributes.has('selected'),
      })),
      action: attributes.get('formaction'),
      method: methodIn(attributes.get('formmethod')),
    };
  }
}

/** A box that is ticked without having a value sends `on` (HTML, the input element). */
const valueWithout = (kind: Control['kind']): string => (kind === 'checkbox' || kind === 'radio' ? 'on' : '');

const kindsByType: Readonly<Record<string, Control['kind']>> = {
  hidden: 'hidden',
  radio: 'radio',
  checkbox: 'checkbox',
  submit: 'button',
  image: 'button',
  reset: 'other',
  button: 'other',
  file: 'other',
};

function kindOf(element: string, type: string | undefined): Control['kind'] {
  if (element === 'select') return 'select';
  if (element === 'textarea') return 'text';
  if (element === 'button') return kindsByType[type?.toLowerCase() ?? 'submit'] ?? 'button';
  return kindsByType[type?.toLowerCase() ?? ''] ?? 'text';
}

function methodIn(text: string | undefined): 'GET' | 'POST' | undefined {
  if (text === undefined) return undefined;
  return text.toLowerCase() === 'post' ? 'POST' : 'GET';
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
