/** A form as its filler sees it. */
export interface HtmlForm {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly isMultipart: boolean;
  /** The letters to send it in, where they are not those of its page. */
  readonly letters: string | undefined;
  /** It stands beside what the page is about: a search, a choice of language, a banner for cookies. */
  readonly isBeside: boolean;
  /** What it is called, and where it leads. */
  readonly told: string;
  /** In the order of the page. */
  readonly controls: readonly Control[];
}

export interface Control {
  readonly kind: 'text' | 'hidden' | 'radio' | 'checkbox' | 'select' | 'button' | 'other';
  readonly name: string;
  readonly id: string;
  readonly value: string;
  /** Everything that tells a person or a guess what it is: name, id, label, placeholder, words of the button. */
  readonly hints: string;
  /** The words next to it alone. */
  readonly label: string;
  /** What stands on the page between the control before it and this one: what it is about, perhaps. */
  readonly before: string;
  readonly checked: boolean;
  readonly options: readonly Option[];
  /** A person finds it: what is out of sight is a trap for programs, and to be left alone. */
  readonly isInReach: boolean;
  /** As many characters as a person can type into it. */
  readonly mostCharacters: number | undefined;
  /** A picture to press sends the place where it was touched, and no value (HTML, the input element). */
  readonly isImage: boolean;
  /** What is done when it is pressed. */
  readonly script: string;
  /** A button may send the form elsewhere. */
  readonly action: string | undefined;
  readonly method: 'GET' | 'POST' | undefined;
  readonly isMultipart: boolean | undefined;
}

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

export type Attributes = ReadonlyMap<string, string>;

/** A form as it is read, element by element. */
export interface OpenForm {
  readonly attributes: Attributes;
  readonly isBeside: boolean;
  readonly controls: OpenControl[];
}

export interface OpenControl {
  readonly element: string;
  readonly attributes: Attributes;
  readonly inside: Words;
  readonly before: Words;
  readonly labels: readonly Words[];
  readonly row: Row;
  /** What stands between it and the next control, or the end of its row. */
  readonly after: Words;
  readonly options: { readonly attributes: Attributes; readonly words: Words }[];
}

/** The paragraph, item or row of a table that a control stands in, with the words of it outside of lists and buttons. */
export interface Row {
  readonly words: Words;
  controls: number;
}

/** So many characters of words: every control repeats those of its label. */
const mostWords = 500;

/** The words inside an element. What a form filler looks for stands at their beginning. */
export class Words {
  readonly #most: number;
  #text = '';

  constructor(most = mostWords) {
    this.#most = most;
  }

  hear(text: string): void {
    if (this.#text.length < this.#most) this.#text += text.slice(0, this.#most);
  }

  get text(): string {
    return this.#text;
  }
}

type LabelsById = ReadonlyMap<string, readonly Words[]>;

/** What a form says of itself when it is for the site and not for the page. */
const besideHints =
  /\b(?:search|s(?:ø|o|oe)k|lang|languages?|locale|spr(?:å|a|aa)k|cookies?|newsletter|nyhetsbrev|log-?out|logg-?ut|contact|kontakt|kundeservice|chat|feedback|tilbakemelding)\b/i;

/** The form that was read, with the labels that stand elsewhere on its page by the id of their control. */
export function formOf({ attributes, isBeside, controls }: OpenForm, labels: LabelsById): HtmlForm {
  const told = ['id', 'name', 'role', 'aria-label'].map((key) => attributes.get(key));
  const end = /[^/?#]*(?=\/?(?:[?#]|$))/.exec(attributes.get('action') ?? '')?.[0];
  return {
    isBeside: isBeside || besideHints.test([...told, end].join(' ')),
    told: [...told, end].join(' '),
    action: attributes.get('action') ?? '',
    method: methodIn(attributes.get('method')) ?? 'GET',
    isMultipart: isMultipartIn(attributes.get('enctype')) ?? false,
    letters: attributes.get('accept-charset')?.trim().split(/\s+/)[0],
    controls: controls
      .filter((control) => !control.attributes.has('disabled'))
      .flatMap((control) => boxesOf(controlOf(control, labels), control.attributes.has('multiple'))),
  };
}

function controlOf(
  { element, attributes, inside, before, labels, row, after, options }: OpenControl,
  labelsById: LabelsById,
): Control {
  const kind = kindOf(element, attributes.get('type'));
  const id = attributes.get('id');
  const words = [...labels, ...(id === undefined ? [] : (labelsById.get(id) ?? []))];
  const label = tidy(words.map(({ text }) => text).join(' ')) || wordsBeside(kind, row, after);
  const value = attributes.get('value') ?? (element === 'textarea' ? inside.text.trim() : valueWithout(kind));
  const told = ['name', 'id', 'placeholder', 'aria-label', 'title', 'alt', 'autocomplete'].map((key) =>
    attributes.get(key),
  );
  const shown = kind === 'button' || isPressed(element, attributes) ? [tidy(inside.text), value] : [];
  // A label around a row of buttons has the words of all of them: each is known by its own.
  const isSelfExplaining = shown.some((own) => own !== '' && !/^\d+$/.test(own));
  return {
    kind,
    name: attributes.get('name') ?? '',
    id: id ?? '',
    value,
    hints: tidy([...told, isSelfExplaining ? '' : label, ...shown].join(' ')),
    label: kind === 'button' ? tidy(inside.text) || value : label,
    before: tidy(before.text),
    checked: attributes.has('checked'),
    options: options.map((option) => ({
      value: option.attributes.get('value') ?? tidy(option.words.text),
      text: tidy(option.words.text),
      selected: option.attributes.has('selected'),
    })),
    isInReach: !isOutOfReach(attributes),
    mostCharacters: lengthIn(attributes.get('maxlength')),
    isImage: /^image$/i.test(attributes.get('type') ?? ''),
    script: tidy(attributes.get('onclick') ?? ''),
    action: attributes.get('formaction'),
    method: methodIn(attributes.get('formmethod')),
    isMultipart: isMultipartIn(attributes.get('formenctype')),
  };
}

/** One that sends nothing, but may be pressed for what a script does then. */
const isPressed = (element: string, attributes: Attributes): boolean =>
  element === 'button' || /^button$/i.test(attributes.get('type') ?? '');

/** Old pages have no labels: what a control is about stands next to it in its row, behind it where it shares that. */
function wordsBeside(kind: Control['kind'], row: Row, after: Words): string {
  if (kind === 'button' || kind === 'hidden') return '';
  if (row.controls === 1) return tidy(row.words.text);
  return kind === 'radio' || kind === 'checkbox' ? tidy(after.text) : '';
}

const isOutOfReach = (attributes: Attributes): boolean =>
  attributes.has('hidden') ||
  attributes.get('aria-hidden')?.toLowerCase() === 'true' ||
  Number(attributes.get('tabindex') ?? 0) < 0 ||
  /display:\s*none|visibility:\s*hidden|(?:left|top):\s*-\d{3,}/i.test(attributes.get('style') ?? '');

const lengthIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

/** A list in which several can be chosen is as many boxes, each with a name and value of the list. */
const boxesOf = (control: Control, isMultiple: boolean): readonly Control[] =>
  control.kind === 'select' && isMultiple
    ? control.options.map(({ value, text, selected }) => ({
        ...control,
        kind: 'checkbox',
        value,
        label: text,
        hints: tidy(`${control.hints} ${text}`),
        checked: selected,
        options: [],
      }))
    : [control];

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

const isMultipartIn = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : /^multipart\/form-data$/i.test(text.trim());

export const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
