import {
  accessGranted,
  accountNamedBy,
  answerIn,
  approves,
  areMostlyPersons,
  type Context,
  chosenIn,
  contextOf,
  contextValue,
  deselectedIn,
  type Entries,
  grantsAll,
  groupsOf,
  isAbout,
  isAccessChoice,
  isContextChoice,
  isForCompanies,
  isLeftAlone,
  isOfAccount,
  saysAccount,
  selectedIn,
} from './choices.ts';
import type { Control, HtmlForm } from './html-form.ts';
import type { HtmlLink } from './html-page.ts';

/** What a page means by its words, in English and Norwegian. The strongest hint comes first. */
const nationalIdHints = [
  /national|\bnin\b|ssn|fnr|f(?:ø|o|oe)dsels?|personn(?:ummer|r)|social.?security/i,
  /identi(?:ty|fi)|person.?(?:id|no|num)/i,
  /psu|customer|kunde/i,
  /user|bruker|login/i,
];

const cancelHints = [
  /(?<!\bnot |n[’']t |\bikke )(?:cancel|abort|avbryt)/i,
  /\bnot now\b|\bikke n[åa]\b|declin|deny|reject|refus|disagree|avsl[aå]|avvis|annuller|\bangre\b|\bexit\b|\bquit\b|g[åa] ut|forlat/i,
  /\bno\b|\bnei\b|\bback\b(?! to)|tilbake(?! til)|log.?out|logg ut/i,
];

/** What ends a page that has no other way to cancel; on a last page it only leads on. */
const endHints = /avslutt|\blukk\b|\bclose\b|\bstopp?\b|\bleave\b|forkast|discard/i;

const goHints =
  /contin|proceed|\bstart\b(?! over)|\bbegin\b|next|submit|approv|confirm|accept|agree|allow|log.?[io]n\b|bankid|\bsign|\bpay\b|\bbetal|\bok\b|\byes\b|\bja\b|send|videre|neste|fortsett|godkjenn|bekreft|logg (?:inn|p[åa])|godta|samtykk|\bgrant|give access|\bgi tilgang|back to|tilbake til/i;

/** The field for the national identity number: by its words, or because there is no other to type into. */
function nationalIdField(form: HtmlForm, name?: string): Control | undefined {
  const fields = form.controls.filter(({ kind, isInReach }) => kind === 'text' && isInReach);
  if (name !== undefined) return form.controls.find((control) => control.name === name);
  const hinted = nationalIdHints.map((hint) => fields.find(({ hints }) => hint.test(hints)));
  // What is filled in already, as the code of a sandbox may be, is no place for the number.
  const only = fields.length === 1 && fields[0]?.value === '' ? fields[0] : undefined;
  return hinted.find((field) => field !== undefined) ?? only;
}

/** The number as it is typed: into its field, or a part into each of two that hold no more, one after the other. */
function numberTyped(
  form: HtmlForm,
  { names, nationalId }: Entries,
): ReadonlyMap<Control | undefined, string> {
  const field = nationalIdField(form, names.nationalIdField);
  if (field === undefined) return new Map();
  const fields = form.controls.filter(({ kind, isInReach }) => kind === 'text' && isInReach);
  const isPair = (first: Control | undefined, second: Control | undefined): boolean =>
    (first?.mostCharacters ?? 0) + (second?.mostCharacters ?? 0) === nationalId.length &&
    [first?.mostCharacters, second?.mostCharacters].every((most) => (most ?? 0) > 0);
  const place = fields.indexOf(field);
  const pair = [
    [field, fields[place + 1]],
    [fields[place - 1], field],
  ].find(([first, second]) => isPair(first, second));
  const split = pair?.[0]?.mostCharacters;
  return pair === undefined || split === undefined
    ? new Map([[field, nationalId]])
    : new Map([
        [pair[0], nationalId.slice(0, split)],
        [pair[1], nationalId.slice(split)],
      ]);
}

const buttonsOf = ({ controls }: HtmlForm): readonly Control[] =>
  controls.filter(({ kind }) => kind === 'button');

export const ends = (hints: string): boolean => endHints.test(hints);

export const cancels = (hints: string): boolean => cancelHints.some((hint) => hint.test(hints));

/** It says so itself, and not only that it leads out or back. */
export const cancelsPlainly = (hints: string): boolean =>
  cancelHints.slice(0, -1).some((hint) => hint.test(hints));

/** The button that goes on: one that names the context, one whose words say so, or the first that does not cancel. */
export function goButton(form: HtmlForm, context: Context): Control | undefined {
  const buttons = buttonsOf(form).filter(({ hints }) => !cancels(hints));
  const choices = buttons.map(({ value, label }) => ({ value, text: label }));
  const ofContext = isContextChoice(choices)
    ? buttons.find(({ value, label }) => contextOf({ value, text: label }) === context)
    : undefined;
  return ofContext ?? buttons.find(({ hints }) => goHints.test(hints)) ?? buttons[0];
}

/** The link that goes on, on a page without a form: the person, the context, or the first whose words say so. */
export function goLink(
  links: readonly HtmlLink[],
  { context, nationalId }: { readonly context: Context; readonly nationalId?: string },
): HtmlLink | undefined {
  const ways = links.filter(({ href, text, isBeside }) => !isBeside && leadsToPage(href) && !cancels(text));
  const choices = ways.map(({ text }) => ({ value: '', text }));
  if (areMostlyPersons(choices))
    return nationalId === undefined ? undefined : ways.find(({ text }) => isAbout([nationalId], text));
  const ofContext = isContextChoice(choices)
    ? ways.find(({ text }) => contextOf({ value: '', text }) === context)
    : undefined;
  return ofContext ?? ways.find(({ text }) => goHints.test(text)) ?? onlyWay(ways, links);
}

/** The only link of a page is its way on, whatever it says, unless it leads to the front of a site. One may cancel. */
function onlyWay([way, ...more]: readonly HtmlLink[], links: readonly HtmlLink[]): HtmlLink | undefined {
  const isAlone =
    more.length === 0 && links.every((link) => link === way || link.isBeside || cancelsPlainly(link.text));
  return isAlone && way !== undefined && !isOfSite.test(`${way.href} ${way.text}`) ? way : undefined;
}

/** The front page of a bank, its help, and what else stands at the foot of every page. */
const isOfSite =
  /^(?:https?:\/\/[^/?#]+)?\/?(?:$|[ ?#])|help|hjelp|support|contact|kontakt|privacy|personvern|cookie|home|hjem|forsid|main page|try again|pr[øo]v igjen/i;

export const leadsSomewhere = (href: string): boolean => href !== '' && !href.startsWith('#');

/** To a page, as far as can be told: a script may do anything, and others leave the pages. */
export const leadsToPage = (href: string): boolean =>
  leadsSomewhere(href) && !/^(?:javascript|mailto|tel):/i.test(href);

/** Whether there is nothing to fill in or to choose. */
export const asksForNothing = ({ controls }: HtmlForm): boolean =>
  controls.every(({ kind }) => kind === 'button' || kind === 'hidden');

/** Something of the customer's, an account perhaps: to choose it is to grant it. */
const isOfCustomer = /\d{4}/;

/** Whether it asks only for choices that grant nothing: the language of the pages, how to log in. */
export const asksHow = (form: HtmlForm): boolean =>
  form.controls.every(({ kind }) => kind !== 'text' && kind !== 'checkbox') &&
  [...groupsOf(form).values()].every(
    (group) =>
      group.choices.length > 1 &&
      !isAccessChoice(group) &&
      group.choices.every(
        ({ value, text }) =>
          !isOfCustomer.test(`${value} ${text}`) && !approves(`${value} ${text}`) && !cancels(text),
      ),
  );

/** Whether it asks who the PSU is or for whom they act, and approves nothing. */
export const asksWho = (form: HtmlForm, name: string | undefined): boolean =>
  (nationalIdField(form, name) !== undefined ||
    [...groupsOf(form).values()].some(({ choices }) => isContextChoice(choices))) &&
  !approves(goButton(form, 'PRIVATE')?.hints ?? '');

/** The button that cancels, the plainest of all forms first: beside "Yes, cancel", "No, go back" does not. */
export function cancelButton(
  forms: readonly HtmlForm[],
): { readonly form: HtmlForm; readonly button: Control } | undefined {
  const buttons = forms.flatMap((form) => buttonsOf(form).map((button) => ({ form, button })));
  const found = [...cancelHints, endHints].map((hint) =>
    buttons.find(({ button }) => hint.test(button.hints)),
  );
  return found.find((button) => button !== undefined);
}

/** A form that is declined by a choice, and sent by a button that says neither yes nor no. */
export function declined(form: HtmlForm): FilledForm | undefined {
  for (const [name, group] of groupsOf(form)) {
    const no = answerIn(group)?.no.value;
    if (no !== undefined)
      return sentWith(form, goButton(form, 'PRIVATE'), (control) => {
        if (control.name !== name) return standing(control);
        return control.kind === 'select' || control.value === no ? no : undefined;
      });
  }
  return undefined;
}

/** A button by what the target file calls it: its name, its value or its words. */
const buttonNamed = (form: HtmlForm, name: string): Control | undefined =>
  buttonsOf(form).find((button) => [button.name, button.value, button.label].includes(name));

/** What the page is about comes before what stands beside it. */
const mainFirst = (forms: readonly HtmlForm[]): readonly HtmlForm[] =>
  forms.toSorted((one, other) => Number(one.isBeside) - Number(other.isBeside));

/** The form that leads on: the one with the number, else one with a button that goes on, else the first of any use. */
export function leadingForm(forms: readonly HtmlForm[], nationalId?: string): HtmlForm | undefined {
  const leads = mainFirst(forms).filter(
    (form) => buttonsOf(form).length === 0 || goButton(form, 'PRIVATE') !== undefined,
  );
  return (
    leads.find((form) => hasHintedField(form, nationalId) && !asksForBirthday(form, nationalId)) ??
    leads.find((form) => hasHintedField(form, nationalId)) ??
    leads.find((form) => !form.isBeside && goHints.test(goButton(form, 'PRIVATE')?.hints ?? '')) ??
    leads[0]
  );
}

/** There are several ways to log in: one of them asks for a telephone and the day of birth, which are no number. */
const asksForBirthday = (form: HtmlForm, name: string | undefined): boolean =>
  /dato|date|birth.?day/i.test(nationalIdField(form, name)?.hints ?? '');

export function hasHintedField(form: HtmlForm, name: string | undefined): boolean {
  const field = nationalIdField(form, name);
  return (
    field !== undefined && (name !== undefined || nationalIdHints.some((hint) => hint.test(field.hints)))
  );
}

/** The boxes of a form that the PSU is to leave empty, and whatever stands for such a box. */
export const deselectedBoxes = (form: HtmlForm, entries: Entries): readonly Pick<Control, 'checked'>[] => [
  ...form.controls.filter((control) => isDeselected(control, entries)),
  ...[...groupsOf(form).values()].flatMap((group) => deselectedIn(group, entries) ?? []),
];

const isDeselected = (
  { kind, value, hints }: Control,
  { deselects = [] }: Pick<Entries, 'deselects'>,
): boolean => kind === 'checkbox' && (deselects.includes(value) || isAbout(deselects, hints));

/** What grants an account as well is not the box of a card alone. */
const isCardDeselected = (control: Control, { deselectsCards = [] }: Entries): boolean =>
  deselectsCards.length > 0 &&
  isDeselected(control, { deselects: deselectsCards }) &&
  !saysAccount({ value: control.value, text: control.label });

/** Of what is to be deselected, what the boxes say that stay empty. */
export const wordsLeftEmpty = (form: HtmlForm, entries: Entries): readonly string[] => [
  ...(entries.deselects ?? []).filter(
    (word) => deselectedBoxes(form, { ...entries, deselects: [word] }).length > 0,
  ),
  ...(entries.deselectsCards ?? []).filter((word) =>
    form.controls.some((control) => isCardDeselected(control, { ...entries, deselectsCards: [word] })),
  ),
];

/** The accounts and cards that a form grants as it is sent: whose boxes or choices say what they are. */
export function grantedBy(form: HtmlForm, { pairs }: FilledForm): readonly GrantedBox[] {
  const boxes = form.controls.filter(({ kind }) => kind === 'checkbox');
  const groups = groupsOf(form);
  return pairs.flatMap(([name, value]) => {
    const group = groups.get(name);
    const choices =
      group === undefined
        ? boxes
            .filter((box) => box.name === name && box.value === value)
            .map(({ label }) => ({ value, text: label }))
        : [accessGranted(group, value)];
    return choices
      .filter((choice) => choice !== undefined)
      .filter(isOfAccount)
      .map((choice) => ({ key: `${name}=${value}`, number: accountNamedBy(choice) }));
  });
}

/** A box by what it sends, with the number of its account where it says that. */
export interface GrantedBox {
  readonly key: string;
  readonly number: string | undefined;
}

/** A form as a browser would send it. */
export interface FilledForm {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly isMultipart: boolean;
  readonly letters: string | undefined;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Fills the form in so that SCA goes on: who, in which context, every account ticked. */
export function fillIn(form: HtmlForm, entries: Entries): FilledForm {
  const { names } = entries;
  const number = numberTyped(form, entries);
  const button =
    (names.submit === undefined ? undefined : buttonNamed(form, names.submit)) ??
    goButton(form, entries.context);
  const choices = new Map([...groupsOf(form)].map(([name, group]) => [name, chosenIn(group, entries)]));
  const valueFor = (control: Control): string | undefined => {
    const given = names.fields?.[control.name];
    switch (control.kind) {
      case 'text':
      case 'hidden':
        return given ?? contextTyped(control, entries) ?? number.get(control) ?? control.value;
      case 'radio':
        return choices.get(control.name) === control.value ? control.value : undefined;
      case 'select':
        return choices.get(control.name);
      case 'checkbox':
        if (given === undefined && number.size > 0 && isForCompanies(control))
          return entries.context === 'CORPORATE' ? control.value : undefined;
        return isTicked(control, given) &&
          !isDeselected(control, entries) &&
          !isCardDeselected(control, entries) &&
          !grantsAll(control.hints, entries)
          ? control.value
          : undefined;
      default:
        return undefined;
    }
  };
  return sentWith(form, button, valueFor);
}

/** What a person could type into, and was sent with nothing in it: a code that the page shows, perhaps. */
export const leftOpen = (forms: readonly HtmlForm[], { pairs }: FilledForm): readonly string[] =>
  forms
    .filter(({ isBeside }) => !isBeside)
    .flatMap(({ controls }) => controls.filter(({ kind, isInReach }) => kind === 'text' && isInReach))
    .filter((field) => pairs.some(([name, value]) => name === field.name && value === ''))
    .map(({ name }) => name);

/** Sends the form as it stands with one of its buttons. */
export const pressed = (form: HtmlForm, button: Control): FilledForm => sentWith(form, button, standing);

/** Sends the form as it stands, as a script does. */
export const sentAsItStands = (form: HtmlForm): FilledForm => sentWith(form, undefined, standing);

/** What a control sends as it stands. */
export function standing(control: Control): string | undefined {
  switch (control.kind) {
    case 'text':
    case 'hidden':
      return control.value;
    case 'radio':
    case 'checkbox':
      return control.checked ? control.value : undefined;
    case 'select':
      return selectedIn(control);
    default:
      return undefined;
  }
}

/** Successful controls in the order of the page, and the button that was pressed (HTML, form submission). */
export function sentWith(
  form: HtmlForm,
  button: Control | undefined,
  valueFor: (control: Control) => string | undefined,
): FilledForm {
  const pairs = form.controls.flatMap((control): [string, string][] => {
    if (control === button && control.isImage) return touched(control);
    if (control.name === '') return [];
    const value = control === button ? control.value : valueFor(control);
    return value === undefined ? [] : [[control.name, value]];
  });
  return {
    method: button?.method ?? form.method,
    action: button?.action ?? form.action,
    isMultipart: button?.isMultipart ?? form.isMultipart,
    letters: form.letters,
    pairs,
  };
}

const touched = ({ name }: Control): [string, string][] =>
  ['x', 'y'].map((axis) => [name === '' ? axis : `${name}.${axis}`, '1']);

/** A context that is typed in or hidden is only filled where the target file names the field. */
const contextTyped = ({ name }: Control, { context, names }: Entries): string | undefined =>
  name !== '' && name === names.contextField ? contextValue(context, names) : undefined;

function isTicked(control: Control, given: string | undefined): boolean {
  if (given !== undefined) return given === control.value || given === 'true' || given === 'on';
  return isLeftAlone(control) ? control.checked : true;
}
