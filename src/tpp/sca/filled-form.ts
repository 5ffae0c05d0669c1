import type { ScaForm } from '../../target/psu.ts';
import {
  buttonNamed,
  type Choice,
  type Context,
  contextOf,
  goButton,
  isContextChoice,
  isLeftAlone,
  nationalIdField,
} from './form-guesses.ts';
import type { Control, HtmlForm } from './html-page.ts';

/** What is typed and ticked. */
export interface Entries {
  readonly nationalId: string;
  readonly context: Context;
  /** Names given in the target file. */
  readonly names: ScaForm;
}

/** A form as a browser would send it. */
export interface FilledForm {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Fills the form in so that SCA goes on: who, in which context, every account ticked. */
export function fillIn(form: HtmlForm, entries: Entries): FilledForm {
  const { names } = entries;
  const number = nationalIdField(form, names.nationalIdField);
  const button =
    (names.submit === undefined ? undefined : buttonNamed(form, names.submit)) ??
    goButton(form, entries.context);
  const choices = new Map(
    [...groupsOf(form)].map(([name, controls]) => [name, chosenIn(controls, name, entries)]),
  );
  const valueFor = (control: Control): string | undefined => {
    const given = names.fields?.[control.name];
    switch (control.kind) {
      case 'text':
      case 'hidden':
        return (
          given ?? contextTyped(control, entries) ?? (control === number ? entries.nationalId : control.value)
        );
      case 'radio':
        return choices.get(control.name) === control.value ? control.value : undefined;
      case 'select':
        return choices.get(control.name);
      case 'checkbox':
        return isTicked(control, given) ? control.value : undefined;
      default:
        return undefined;
    }
  };
  return sentWith(form, button, valueFor);
}

/** Sends the form as it stands with one of its buttons. */
export const pressed = (form: HtmlForm, button: Control): FilledForm =>
  sentWith(form, button, (control) => {
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
  });

/** Successful controls in the order of the page, and the button that was pressed (HTML, form submission). */
function sentWith(
  form: HtmlForm,
  button: Control | undefined,
  valueFor: (control: Control) => string | undefined,
): FilledForm {
  const pairs = form.controls.flatMap((control): [string, string][] => {
    if (control.name === '') return [];
    const value = control === button ? control.value : valueFor(control);
    return value === undefined ? [] : [[control.name, value]];
  });
  return { method: button?.method ?? form.method, action: button?.action ?? form.action, pairs };
}

/** Radio buttons and lists by their names, with whatever else bears the same name. */
function groupsOf({ controls }: HtmlForm): ReadonlyMap<string, readonly Control[]> {
  const groups = new Map<string, Control[]>();
  for (const { kind, name } of controls) if (kind === 'radio' || kind === 'select') groups.set(name, []);
  for (const control of controls) groups.get(control.name)?.push(control);
  return groups;
}

/** The choice in a group of radio buttons or a list: what the target file says, the context, the person, or the first. */
function chosenIn(
  controls: readonly Control[],
  name: string,
  { nationalId, context, names }: Entries,
): string | undefined {
  const choices = controls.flatMap((control): readonly Choice[] =>
    control.kind === 'select' ? control.options : [{ value: control.value, text: control.label }],
  );
  const given = names.fields?.[name];
  if (given !== undefined) return given;
  if (name === names.contextField || isContextChoice(choices)) {
    const value = contextValue(context, names);
    const chosen =
      choices.find((choice) => choice.value === value) ??
      choices.find((choice) => contextOf(choice) === context);
    if (chosen !== undefined) return chosen.value;
  }
  const person = choices.find(({ value, text }) => value === nationalId || text.includes(nationalId));
  const preset = controls.find(({ kind, checked }) => kind === 'select' || checked);
  const presetValue = preset?.kind === 'select' ? selectedIn(preset) : preset?.value;
  return person?.value ?? presetValue ?? choices.find(({ value }) => value !== '')?.value;
}

/** A list sends its selected option, or else its first; an empty first one only asks to choose. */
const selectedIn = ({ options }: Control): string | undefined =>
  (
    options.find(({ selected, value }) => selected && value !== '') ??
    options.find(({ value }) => value !== '') ??
    options[0]
  )?.value;

const contextValue = (context: Context, { privateContext, corporateContext }: ScaForm): string =>
  context === 'PRIVATE' ? (privateContext ?? 'PRIVATE') : (corporateContext ?? 'CORPORATE');

/** A context that is typed in or hidden is only filled where the target file names the field. */
const contextTyped = ({ name }: Control, { context, names }: Entries): string | undefined =>
  name !== '' && name === names.contextField ? contextValue(context, names) : undefined;

function isTicked(control: Control, given: string | undefined): boolean {
  if (given !== undefined) return given === control.value || given === 'true' || given === 'on';
  return isLeftAlone(control) ? control.checked : true;
}
