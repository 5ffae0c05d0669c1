import type { ScaForm } from '../../target/psu.ts';
import {
  cancelButton,
  cancels,
  cancelsPlainly,
  type FilledForm,
  goButton,
  leadingForm,
  leadsSomewhere,
  pressed,
} from './filled-form.ts';
import type { Control, HtmlForm } from './html-form.ts';
import type { HtmlPage } from './html-page.ts';

/** A way to cancel; doubtful where it says that it leaves the bank, or goes back, and no more. */
export type Cancelling = ({ readonly form: FilledForm } | { readonly href: string }) & {
  readonly isDoubtful: boolean;
};

export function cancel({ forms, links }: HtmlPage, names: ScaForm): Cancelling | undefined {
  const main = forms.filter(({ isBeside }) => !isBeside);
  const link = links.find(
    ({ href, text }) => leadsSomewhere(href) && (text === names.cancel || cancels(text)),
  );
  return (
    cancelAmong(main, names) ??
    (link === undefined
      ? undefined
      : { href: link.href, isDoubtful: link.text !== names.cancel && !cancelsPlainly(link.text) })
  );
}

/** Beside what the page is about, "log out" is of the site and cancels nothing. */
export function cancelBeside({ forms }: HtmlPage, names: ScaForm): Cancelling | undefined {
  const way = cancelAmong(
    forms.filter(({ isBeside }) => isBeside),
    names,
  );
  return way?.isDoubtful ? undefined : way;
}

function cancelAmong(forms: readonly HtmlForm[], { cancel: name }: ScaForm): Cancelling | undefined {
  const isNamed = (control: Control): boolean =>
    control.kind === 'button' &&
    name !== undefined &&
    [control.name, control.value, control.label].includes(name);
  for (const form of forms) {
    const button = form.controls.find(isNamed) ?? cancelButton(form);
    if (button !== undefined)
      return { form: pressed(form, button), isDoubtful: !isNamed(button) && !cancelsPlainly(button.hints) };
  }
  return undefined;
}

/** "Do you want to cancel?" */
export function confirm(page: HtmlPage): { readonly form: FilledForm } | undefined {
  const form = leadingForm(page.forms);
  const button = form && goButton(form, 'PRIVATE');
  return form === undefined || form.isBeside || button === undefined
    ? undefined
    : { form: pressed(form, button) };
}
