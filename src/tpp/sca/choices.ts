import { isBban, isNationalId } from '../../spec/check-digits.ts';
import type { ScaForm } from '../../target/psu.ts';
import type { Control, HtmlForm } from './html-form.ts';

/** What is typed, ticked and chosen. */
export interface Entries {
  readonly nationalId: string;
  readonly context: Context;
  /** Names given in the target file. */
  readonly names: ScaForm;
  /** What a box says that stays empty, any of these. */
  readonly deselects?: readonly string[];
  /** What a box says that stays empty as well, unless it names an account. */
  readonly deselectsCards?: readonly string[];
  /** Numbers of the accounts that the run is about, where the PSU can choose only one. */
  readonly prefers?: readonly string[];
}

const contextHints = {
  CORPORATE:
    /corp|compan|business|enterprise|commercial|wholesale|bedrift|organi[sz]a(?:t|s)|foretak|firma|selskap|virksomhet|verksemd|n(?:æ|a|ae)ring|legal|employ|ansatt|arbeidsgiv|\b(?:work|job|jobb|bm|smb|org)\b|\b(?:some(?:body|one) else|(?:noen|nokon) and(?:re|en)|en ann?en|ein annan)\b/i,
  PRIVATE:
    /priv|person|(?:my|your)self|individual|(?:meg|deg|seg) s(?:e|jø)l|egne? vegne|eig(?:e|ne) vegn|own behalf|consumer|forbruker|household|retail|\b(?:pm|meg)\b/i,
} as const;
export type Context = keyof typeof contextHints;
const contexts = ['CORPORATE', 'PRIVATE'] as const;

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** Boxes and choices that change nothing for the TPP and stay as they are. */
const leftAlone = /remember|husk|newsletter|nyhetsbrev/i;

export const isLeftAlone = ({ hints }: Pick<Control, 'hints'>): boolean => leftAlone.test(hints);

/** Whether choices are those between private and corporate: there is one that reads as either. */
export const isContextChoice = (choices: readonly Choice[]): boolean =>
  choices.length > 1 && contexts.every((context) => choices.some((choice) => contextOf(choice) === context));

/** The value tells more than the words: "for a person who acts for a company" has both. */
export function contextOf({ value, text }: Choice): Context | undefined {
  for (const words of [value, text]) {
    const matching = contexts.filter((context) => contextHints[context].test(words));
    if (matching.length === 1) return matching[0];
  }
  return undefined;
}

/** For whom somebody acts, where one of two choices is meant: which company that is is asked of those who act for one. */
const asksForWhom =
  /behalf|vegn[ea]|\bact(?:s|ing)? |handle?r? |represent|customer.?type|kundetype|context|kontekst|capacity|\brolle\b|\brole\b/i;
const namesCompany =
  /compan|agreement|selskap|bedrift|foretak|virksomhet|verksemd|avtale|\b(?:as|asa|enk|ans|da|sa|ab|a\/s|ltd)\b|\b\d{3} ?\d{3} ?\d{3}\b/i;

/** The context of each of two choices, where one is understood at most: then the other is what is left. */
function contextsByExclusion(group: Group): readonly (readonly [Choice, Context | undefined])[] | undefined {
  const offered = group.choices.filter(({ value }) => value !== '');
  const [one, other] = offered;
  if (one === undefined || other === undefined || offered.length > 2) return undefined;
  if (!asksForWhom.test(hintsOf(group)) || isAccessChoice(group)) return undefined;
  const own = [one, other].map(contextOf);
  const left = (context: Context | undefined): Context | undefined =>
    context && contexts.find((each) => each !== context);
  return [
    [one, own[0] ?? left(own[1])],
    [other, own[1] ?? left(own[0])],
  ];
}

/** Whether a form asks for whom somebody acts, in words of which nobody can tell what they mean. */
export const asksInOtherWords = (form: HtmlForm, { contextField, fields }: ScaForm): boolean =>
  [...groupsOf(form).values()].some((group) => {
    const { name, choices } = group;
    const isNamed = name === contextField || fields?.[name] !== undefined;
    const says = [hintsOf(group), ...choices.map(({ text }) => text)].join(' ');
    const isOpen = contextsByExclusion(group)?.every(([, context]) => context === undefined) === true;
    return !isNamed && isOpen && !namesCompany.test(says) && !areMostlyPersons(choices);
  });

/** What is agreed to is ticked by everybody, whoever it speaks of. */
const isAgreed = /accept|agree|consent|godta|samtykk|vilk[åa]r|terms|personvern|privacy/i;

/** A box where people say who they are which only those tick who act for a company. Accounts have their boxes elsewhere. */
export const isForCompanies = ({ value, hints }: Pick<Control, 'value' | 'hints'>): boolean =>
  !isAgreed.test(hints) && contextOf({ value, text: hints }) === 'CORPORATE';

export const contextValue = (context: Context, { privateContext, corporateContext }: ScaForm): string =>
  context === 'PRIVATE' ? (privateContext ?? 'PRIVATE') : (corporateContext ?? 'CORPORATE');

/** Account numbers are written with points, spaces and hyphens between their groups: 9536.05.73002. */
const unspaced = (text: string): string => text.replace(/(?<=[\dA-Z])[ .-](?=[\dA-Z])/g, '');

/** Whether something that a page says is about one of these, an account perhaps. */
export const isAbout = (words: readonly string[], said: string): boolean =>
  words.some((word) => said.includes(word) || unspaced(said).includes(unspaced(word)));

/** As it is written in groups; else however it is written. An id, an amount or a count may stand right beside it. */
const numbersIn = (said: string): readonly string[] =>
  said.match(/(?<!\d)\d{4}[\s.-]?\d{2}[\s.-]?\d{5}(?!\d)/g)?.map((number) => number.replaceAll(/\D/g, '')) ??
  unspaced(said).match(/(?<!\d)\d{11}(?!\d)/g) ??
  [];

/** One account number in eleven has the check digits of a person’s, which begins with a day and a month as well. */
const isOfPerson = (number: string): boolean =>
  isNationalId(number) && /^[0-7]\d(?:[048][1-9]|[159][0-2]|6[6-9]|7[0-7])/.test(number);

/** A card, by its masked number or its name: the account behind it may have a number that no listing tells. */
const isCard =
  /(?:[*•·]|\bx{2,})[\s*•·x.-]*\d{2,4}(?!\d)|(?:kreditt?|debet|betalings)kort|kortkonto|credit ?card|card account|mastercard|\bvisa\b/i;

/** The account that a choice grants, by its number, where it says that of one alone. */
export function accountNamedBy({ value, text }: Choice): string | undefined {
  if (isCard.test(text)) return undefined;
  const numbers = [value, text].flatMap(numbersIn);
  const accounts = new Set(numbers.filter((number) => isBban(number) && !isOfPerson(number)));
  return accounts.size === 1 ? [...accounts][0] : undefined;
}

/** Whether a choice says the number of any account, that behind a card perhaps. */
export const saysAccount = ({ value, text }: Choice): boolean =>
  [value, text].flatMap(numbersIn).some(isBban);

/** Whether a choice is about one account or one card, by what it says. */
export const isOfAccount = (choice: Choice): boolean =>
  isCard.test(choice.text) || accountNamedBy(choice) !== undefined;

const saysAll = /\b(?:all|alle|every|samtlige|full)\b/i;

/** One choice for all accounts would grant the one again that is to be left out. */
export const grantsAll = (said: string, { deselects = [] }: Entries): boolean =>
  deselects.length > 0 && saysAll.test(said);

/** Radio buttons of one name, or a list: one of several choices is sent. */
export interface Group {
  readonly name: string;
  readonly controls: readonly Control[];
  readonly choices: readonly Choice[];
  /** What a browser would send without anybody choosing. */
  readonly preset: string | undefined;
}

/** All that tells what is to be chosen, but for the choices. */
function hintsOf({ name, controls }: Group): string {
  const list = controls.find(({ kind }) => kind === 'select');
  return [name, controls[0]?.before, list?.hints].join(' ');
}

/** Radio buttons and lists by their names, with whatever else bears the same name. */
export function groupsOf({ controls }: HtmlForm): ReadonlyMap<string, Group> {
  const members = new Map<string, Control[]>();
  for (const { kind, name } of controls) if (kind === 'radio' || kind === 'select') members.set(name, []);
  for (const control of controls) members.get(control.name)?.push(control);
  return new Map([...members].map(([name, own]) => [name, groupOf(name, own)]));
}

function groupOf(name: string, controls: readonly Control[]): Group {
  const choices = controls.flatMap((control): readonly Choice[] =>
    control.kind === 'select' ? control.options : [{ value: control.value, text: control.label }],
  );
  const first = controls.find(({ kind, checked }) => kind === 'select' || checked);
  const preset = first?.kind === 'select' ? selectedIn(first) : first?.value;
  return { name, controls, choices, preset };
}

/** A list sends its selected option, or else its first; an empty first one only asks to choose. */
export const selectedIn = ({ options }: Control): string | undefined =>
  (
    options.find(({ selected, value }) => selected && value !== '') ??
    options.find(({ value }) => value !== '') ??
    options[0]
  )?.value;

/** The choice that grants nothing: "No access", "Nei". */
const deniesAccess = ({ value, text }: Choice): boolean =>
  /^(?:0|n|no|nei|none|ingen|false|off|deny|denied)$/i.test(value) ||
  /^(?:no|not|nei|none|ingen|ikke|deny|do not)\b/i.test(text);

/** What is granted, or not, by a choice: of two buttons, yes and no, or of a list with more of it and less. */
function accessIn(group: Group): { readonly none: Choice; readonly most: Choice } | undefined {
  const { choices } = group;
  if (choices.length < 2 || isLeftAlone({ hints: hintsOf(group) })) return undefined;
  const none = choices.find(deniesAccess);
  if (none === undefined) return undefined;
  const some = choices.filter((choice) => choice.value !== '' && !deniesAccess(choice));
  const most = some.find(({ text }) => saysAll.test(text)) ?? some.at(-1);
  return most === undefined ? undefined : { none, most };
}

/** Pressing it is the PSU's approval, and no mere step on the way to it. */
export const approves = (hints: string): boolean =>
  /approv|confirm|\bsign(?!.?[io]n\b)|authori[sz]e|\bpay\b|godkjenn|bekreft|signer|betal/i.test(hints);

/** What is said of that to which a choice grants access; undefined where it grants none, or is about something else. */
export function accessGranted(group: Group, sent: string): Choice | undefined {
  const access = accessIn(group);
  return access === undefined || sent === access.none.value
    ? undefined
    : { value: group.name, text: hintsOf(group) };
}

const declines = /declin|reject|refuse|cancel|avbryt|avvis|avsl[åa]/i;

/** The answer to the whole page, where that is a choice: of approving it and of declining it. */
export function answerIn({ choices }: Group): { readonly no: Choice; readonly yes: Choice } | undefined {
  const says = ({ value, text }: Choice): string => `${value} ${text}`;
  const no = choices.find((choice) => declines.test(says(choice)));
  const yes = choices.find((choice) => choice !== no && approves(says(choice)));
  return no === undefined || yes === undefined ? undefined : { no, yes };
}

/** Whether something is granted by it, or not. */
export const isAccessChoice = (group: Group): boolean =>
  accessIn(group) !== undefined || answerIn(group) !== undefined;

/** Whether it is about an account that the PSU is to leave out, and whether that was granted before. */
export function deselectedIn(
  group: Group,
  { deselects = [] }: Entries,
): Pick<Control, 'checked'> | undefined {
  if (answerIn(group) !== undefined) return undefined;
  const access = accessIn(group);
  if (access !== undefined)
    return isAbout(deselects, hintsOf(group)) ? { checked: group.preset !== access.none.value } : undefined;
  const own = group.choices.find((choice) => isOneOf(deselects, choice));
  return own === undefined || group.choices.length < 2 ? undefined : { checked: group.preset === own.value };
}

const isPerson = (number: string, { value, text }: Choice): boolean =>
  value === number || isAbout([number], text);

const namesPerson = ({ value, text }: Choice): boolean =>
  `${value} ${unspaced(text)}`.match(/\d+/g)?.some(isNationalId) === true;

/** Whether people choose there who they are. */
export const areMostlyPersons = (choices: readonly Choice[]): boolean =>
  choices.filter(namesPerson).length * 2 > choices.length;

/** Whether a form has people choose who they are, and the one who is to pass SCA is not among them. */
export const isForOthers = (form: HtmlForm, { nationalId, names }: Entries): boolean =>
  [...groupsOf(form).values()].some(({ name, choices }) => {
    const offered = choices.filter(({ value }) => value !== '');
    return (
      names.fields?.[name] === undefined &&
      areMostlyPersons(offered) &&
      !offered.some((choice) => isPerson(nationalId, choice))
    );
  });

/** The choice of a group: what the target file says, the context, the person, the accounts of the run, or the first. */
export function chosenIn(group: Group, entries: Entries): string | undefined {
  const { name, choices, preset } = group;
  const { nationalId, names, deselects = [], prefers = [] } = entries;
  const given = names.fields?.[name] ?? contextIn(group, entries);
  if (given !== undefined) return given;
  const person = choices.find((choice) => isPerson(nationalId, choice));
  if (person !== undefined) return person.value;
  const answer = answerIn(group);
  if (answer !== undefined) return answer.yes.value;
  const access = accessIn(group);
  if (access !== undefined) return (isAbout(deselects, hintsOf(group)) ? access.none : access.most).value;
  const left = choices.filter(
    (choice) => choice.value !== '' && !isOneOf(deselects, choice) && !grantsAll(choice.text, entries),
  );
  const preferred = left.find((choice) => isOneOf(prefers, choice));
  const isLeft = left.some(({ value }) => value === preset);
  return preferred?.value ?? (isLeft ? preset : left[0]?.value) ?? preset;
}

const isOneOf = (words: readonly string[], { value, text }: Choice): boolean =>
  words.includes(value) || isAbout(words, text);

function contextIn(group: Group, { context, names }: Entries): string | undefined {
  const { name, choices } = group;
  if (name !== names.contextField && !isContextChoice(choices))
    return contextsByExclusion(group)?.find(([, own]) => own === context)?.[0].value;
  const value = contextValue(context, names);
  return (
    choices.find((choice) => choice.value === value) ??
    choices.find((choice) => contextOf(choice) === context)
  )?.value;
}
