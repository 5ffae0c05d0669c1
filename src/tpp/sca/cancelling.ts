import type { ScaForm } from '../../target/psu.ts';
import {
  cancelButton,
  cancels,
  cancelsPlainly,
  declined,
  ends,
  type FilledForm,
  goButton,
  goLink,
  leadingForm,
  leadsToPage,
  pressed,
} from './filled-form.ts';
import type { Control, HtmlForm } from './html-form.ts';
import type { HtmlPage } from './html-page.ts';
import { cancelledByScript, cancellingForm } from './scripted-forms.ts';

/** A way to cancel; doubtful where it says that it leaves the bank, or goes back, and no more. */
export type Cancelling = ({ readonly form: FilledForm } | { readonly href: string }) & {
  readonly isDoubtful: boolean;
};

export function cancel(page: HtmlPage, names: ScaForm): Cancelling | undefined {
  const { forms, links } = page;
  const main = forms.filter(({ isBeside }) => !isBeside);
  const ways = links.filter(({ href }) => leadsToPage(href));
  const link =
    ways.find(({ text }) => text === names.cancel || cancels(text)) ??
    ways.find(({ text, isBeside }) => !isBeside && ends(text));
  const byForm = cancelAmong(main, names);
  if (byForm !== undefined) return byForm;
  if (link !== undefined)
    return { href: link.href, isDoubtful: link.text !== names.cancel && !cancelsPlainly(link.text) };
  const form = cancelledByScript(main) ?? cancellingForm(page);
  return form && { form, isDoubtful: true };
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
  const named = forms.flatMap((form) => form.controls.filter(isNamed).map((button) => ({ form, button })))[0];
  const found = named ?? cancelButton(forms);
  if (found !== undefined)
    return {
      form: pressed(found.form, found.button),
      isDoubtful: named === undefined && !cancelsPlainly(found.button.hints),
    };
  const form = forms.map(declined).find((filled) => filled !== undefined);
  return form === undefined ? undefined : { form, isDoubtful: false };
}

/** "Do you want to cancel?" */
export function confirm(page: HtmlPage): { readonly form: FilledForm } | undefined {
  const form = leadingForm(page.forms);
  const button = form && goButton(form, 'PRIVATE');
  return form === undefined || form.isBeside || button === undefined
    ? undefined
    : { form: pressed(form, button) };
}

/** Who has cancelled and is asked again whether they mean it says yes: "No, go back" does not cancel there. */
export function confirmCancel(
  page: HtmlPage,
  names: ScaForm,
): { readonly form: FilledForm } | { readonly href: string } | undefined {
  if (!asksAgain(page)) return undefined;
  const forms = page.forms.map((form) => ({
    ...form,
    controls: form.controls.filter(({ kind, hints }) => kind !== 'button' || cancelsPlainly(hints)),
  }));
  const links = page.links.filter(({ text }) => cancelsPlainly(text));
  const yes = goLink(page.links, { context: 'PRIVATE' });
  return (
    cancel({ ...page, forms, links }, names) ??
    confirm(page) ??
    (yes === undefined ? undefined : { href: yes.href })
  );
}

const asksAgain = ({ title, text }: HtmlPage): boolean =>
  /(?:cancel|abort|avbryt|stop|leave|forlat)[^.?!]*\?/i.test(`${title} ${text}`);
