import {
  asksForNothing,
  cancels,
  cancelsPlainly,
  type FilledForm,
  sentAsItStands,
  sentWith,
  standing,
} from './filled-form.ts';
import type { Control, HtmlForm } from './html-form.ts';
import type { HtmlPage } from './html-page.ts';

const isBare = (form: HtmlForm): boolean =>
  asksForNothing(form) && form.controls.every(({ kind }) => kind === 'hidden');

/** The form that a page sends by its script as soon as it is shown: its only one, in which a person finds nothing. */
export function sentByItself({ forms, sendsForm }: HtmlPage): { readonly form: FilledForm } | undefined {
  const [form, ...more] = forms.filter(({ isBeside }) => !isBeside);
  const isSent = sendsForm && form !== undefined && more.length === 0 && isBare(form);
  return isSent ? { form: sentAsItStands(form) } : undefined;
}

/** A form that only a script sends, and that cancels by what it is called or by what it holds. */
export function cancellingForm({ forms, hasScript }: HtmlPage): FilledForm | undefined {
  if (!hasScript) return undefined;
  const says = ({ told, controls }: HtmlForm): string =>
    [told, ...controls.map(({ name, value }) => `${name} ${value}`)].join(' ').replaceAll(/[_-]/g, ' ');
  const form = forms.find((each) => !each.isBeside && isBare(each) && cancelsPlainly(says(each)));
  return form && sentAsItStands(form);
}

/** A button that sends nothing by itself, but by what is done when it is pressed. */
const isScripted = ({ kind, script, hints }: Control): boolean =>
  kind === 'other' && cancels(hints) && /\bsubmit ?\(/i.test(script);

/** Its form, as its script sends it: `form.action.value = 'cancel'; form.submit()`. */
export function cancelledByScript(forms: readonly HtmlForm[]): FilledForm | undefined {
  for (const form of forms) {
    const button = form.controls.find(isScripted);
    if (button === undefined) continue;
    const values = valuesSetBy(button.script);
    return sentWith(form, undefined, (control) => {
      const own = standing(control);
      return own === undefined ? undefined : (values.get(control.name) ?? values.get(control.id) ?? own);
    });
  }
  return undefined;
}

/** What a script writes into fields, by their names or ids. */
const valuesSetBy = (script: string): ReadonlyMap<string, string> =>
  new Map(
    [...script.matchAll(/([\w-]{1,50})['"]?[\])]{0,2}\.value ?= ?(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name = '', double, single]) => [name, double ?? single ?? ''],
    ),
  );
