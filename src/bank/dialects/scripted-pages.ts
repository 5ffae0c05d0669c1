import { changedRequest } from '../design/changed-request.ts';
import { allOf, type DesignChange, onPages } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';
import { onOpening, page } from './first-pages.ts';
import { rewritten } from './old-pages.ts';

const pathOf = ({ target }: BankRequest): string => target.split('?')[0] ?? '';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The script of a page leads from the link to the page behind it, by a form. */
const ledByForm: DesignChange = onOpening(
  (open) => (request, state) =>
    request.query.has('klar')
      ? open(request, state)
      : page(
          `<body onload="document.forms[0].submit()"><form action="${pathOf(request)}"><input type="hidden" name="klar" value="1"></form></body>`,
        ),
);

/** The last page sends a form to the bank by its script, as those do that stand before a service for BankID. */
const backByForm: DesignChange = onPages((route) => async (request, state) => {
  const way = new URLSearchParams(request.bytes.toString('utf8')).get('tilbake');
  if (way !== null) return { status: 303, headers: { Location: way } };
  const answer = await route.handle(request, state);
  const location = answer.headers?.Location;
  return location === undefined || location.startsWith('/')
    ? answer
    : page(
        `<p>Et øyeblikk …</p><form id="ferdig" method="post" action="${pathOf(request)}"><input type="hidden" name="tilbake" value="${escaped(location)}"></form>
<script>document.getElementById('ferdig').submit();</script>`,
      );
});

const cancelButton = /<button[^>]*value="cancel"[^>]*>Cancel<\/button>/;

/** Beside the form stands another one, which only a script sends. */
const cancelledBy = (words: string): DesignChange =>
  rewritten((html) =>
    cancelButton.test(html)
      ? html
          .replace(cancelButton, '')
          .replace(
            '</form>',
            `</form><form id="avbryt" method="post"><input type="hidden" name="action" value="cancel"></form>${words}`,
          )
      : html,
  );

/** The button of the form writes into a field of it what is to become of it. */
const cancelledInForm: DesignChange = rewritten((html) =>
  html
    .replace(
      cancelButton,
      `<input type="hidden" id="hva" name="action" value="continue"><button type="button" onclick="document.getElementById('hva').value = 'cancel'; this.form.submit()">Avbryt</button>`,
    )
    .replace(/ name="action"(?= value="continue">(?!<button type="button"))/, ''),
);

const ended: DesignChange = allOf(
  onPages((route) => (request, state) => {
    const isEnded = new URLSearchParams(request.bytes.toString('utf8')).has('slutt');
    return route.handle(
      isEnded ? changedRequest(request, { bytes: Buffer.from('action=cancel') }) : request,
      state,
    );
  }),
  rewritten((html) => html.replace(cancelButton, '<button name="slutt" value="1">Avslutt</button>')),
);

/** Pages whose scripts send their forms, and others with a way to cancel that has no such word on it. */
export const scriptedPageDialects: readonly Dialect[] = [
  dialect('pages/sent-by-script', 'leads from the link to its page by a form that a script sends', ledByForm),
  independent('redirects/sent-by-script', 'sends the PSU back by a form that a script sends', backByForm),
  ...[
    dialect(
      'forms/cancelled-by-link',
      'lets the PSU cancel by a link whose script sends a form',
      cancelledBy(`<a href="javascript:document.getElementById('avbryt').submit()">Avbryt</a>`),
    ),
    dialect(
      'forms/cancelled-by-script',
      'lets the PSU cancel by a button outside of all forms, whose script sends one',
      cancelledBy(`<button type="button" id="ut">Avbryt</button>
<script>document.getElementById('ut').addEventListener('click', () => document.getElementById('avbryt').submit());</script>`),
    ),
    dialect(
      'forms/cancelled-in-form',
      'lets the PSU cancel by a button whose script fills in its form',
      cancelledInForm,
    ),
    dialect('forms/ended', 'lets the PSU end a page, in other words than cancelling it', ended),
  ].map((each) => deciding('accounts-page', each)),
];
