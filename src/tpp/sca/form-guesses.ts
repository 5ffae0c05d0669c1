import type { Control, HtmlForm } from './html-page.ts';

/** What a page means by its words, in English and Norwegian. The strongest hint comes first. */
const nationalIdHints = [
  /national|\bnin\b|ssn|fnr|f(?:ø|o|oe)dsels?|personn(?:ummer|r)|social.?security/i,
  /identi(?:ty|fi)|person.?(?:id|no|num)/i,
  /psu|customer|kunde/i,
  /user|bruker|login/i,
];

const cancelHints = [
  /cancel|abort|avbryt/i,
  /declin|deny|reject|refus|disagree|avsl[aå]|avvis/i,
  /\bno\b|\bnei\b|\bback\b(?! to)|tilbake(?! til)|log.?out|logg ut/i,
];

const goHints =
  /contin|next|submit|approv|confirm|accept|agree|allow|log.?in|\bsign|\bok\b|\byes\b|\bja\b|send|videre|neste|fortsett|godkjenn|bekreft|logg inn|godta|back to|tilbake til/i;

const contextHints = {
  CORPORATE: /corp|compan|business|bedrift|organi[sz]a(?:t|s)|foretak|firma|legal/i,
  PRIVATE: /priv|person|myself|individual|meg selv|consumer/i,
} as const;
export type Context = keyof typeof contextHints;

/** Boxes that change nothing for the TPP and stay as they are. */
const leftAlone = /remember|husk|newsletter|nyhetsbrev/i;

/** The field for the national identity number: by its words, or because there is no other to type into. */
export function nationalIdField(form: HtmlForm, name?: string): Control | undefined {
  const fields = form.controls.filter(({ kind }) => kind === 'text');
  if (name !== undefined) return form.controls.find((control) => control.name === name);
  const hinted = nationalIdHints.map((hint) => fields.find(({ hints }) => hint.test(hints)));
  return hinted.find((field) => field !== undefined) ?? (fields.length === 1 ? fields[0] : undefined);
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** Whether choices are those between private and corporate: there is one that reads as either. */
export const isContextChoice = (choices: readonly Choice[]): boolean =>
  (['CORPORATE', 'PRIVATE'] as const).every((context) =>
    choices.some((choice) => contextOf(choice) === context),
  );

/** The value tells more than the words: "for a person who acts for a company" has both. */
export function contextOf({ value, text }: Choice): Context | undefined {
  for (const words of [value, text]) {
    const matching = (['CORPORATE', 'PRIVATE'] as const).filter((context) =>
      contextHints[context].test(words),
    );
    if (matching.length === 1) return matching[0];
  }
  return undefined;
}

export const isLeftAlone = ({ hints }: Control): boolean => leftAlone.test(hints);

const buttonsOf = ({ controls }: HtmlForm): readonly Control[] =>
  controls.filter(({ kind }) => kind === 'button');

export const cancels = (hints: string): boolean => cancelHints.some((hint) => hint.test(hints));

/** The button that goes on: one that names the context, one whose words say so, or the first that does not cancel. */
export function goButton(form: HtmlForm, context: Context): Control | undefined {
  const buttons = buttonsOf(form).filter(({ hints }) => !cancels(hints));
  const choices = buttons.map(({ value, label }) => ({ value, text: label }));
  const ofContext = isContextChoice(choices)
    ? buttons.find(({ value, label }) => contextOf({ value, text: label }) === context)
    : undefined;
  return ofContext ?? buttons.find(({ hints }) => goHints.test(hints)) ?? buttons[0];
}

/** The button that cancels, the plainest first. */
export function cancelButton(form: HtmlForm): Control | undefined {
  const found = cancelHints.map((hint) => buttonsOf(form).find(({ hints }) => hint.test(hints)));
  return found.find((button) => button !== undefined);
}

/** A button by what the target file calls it: its name, its value or its words. */
export const buttonNamed = (form: HtmlForm, name: string): Control | undefined =>
  buttonsOf(form).find((button) => [button.name, button.value, button.label].includes(name));

/** The form that leads on: the one with the number, else one with a button that goes on, else the first of any use. */
export function leadingForm(forms: readonly HtmlForm[], nationalId?: string): HtmlForm | undefined {
  const leads = forms.filter(
    (form) => buttonsOf(form).length === 0 || goButton(form, 'PRIVATE') !== undefined,
  );
  return (
    leads.find((form) => hasHintedField(form, nationalId)) ??
    leads.find((form) => goHints.test(goButton(form, 'PRIVATE')?.hints ?? '')) ??
    leads[0]
  );
}

function hasHintedField(form: HtmlForm, name: string | undefined): boolean {
  const field = nationalIdField(form, name);
  return (
    field !== undefined && (name !== undefined || nationalIdHints.some((hint) => hint.test(field.hints)))
  );
}
