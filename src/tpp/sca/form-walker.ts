import { setTimeout as sleep } from 'node:timers/promises';
import type { ScaForm } from '../../target/psu.ts';
import { cancel, cancelBeside, confirm, confirmCancel } from './cancelling.ts';
import { approves, asksInOtherWords, type Context, type Entries, isForOthers } from './choices.ts';
import { leadsNowhere, saysDone } from './dead-end.ts';
import {
  asksForNothing,
  asksHow,
  asksWho,
  deselectedBoxes,
  type FilledForm,
  fillIn,
  goButton,
  goLink,
  grantedBy,
  hasHintedField,
  leadingForm,
  leadsSomewhere,
  wordsLeftEmpty,
} from './filled-form.ts';
import { framesOf, openFrame } from './frames.ts';
import type { Control, HtmlForm } from './html-form.ts';
import type { HtmlPage } from './html-page.ts';
import { type Page, PageBrowser, type Place } from './page-browser.ts';
import type { PageHttp } from './page-http.ts';
import { PagesAhead } from './pages-ahead.ts';
import { isReturnTo, readScaReturn, type ScaReturn } from './sca-return.ts';
import { type PassedSca, ScaWalkError, type ScaWalker } from './sca-walker.ts';
import { sentByItself } from './scripted-forms.ts';
import {
  adviceFor,
  approvedElsewhere,
  brokenDown,
  deadEnd,
  isHtml,
  keptBy,
  refused,
  stuck,
  untold,
} from './walk-errors.ts';

export interface FormWalkerOptions {
  readonly http: PageHttp;
  readonly redirectUri: string;
  /** Names on the pages, where guessing is not enough. */
  readonly names: ScaForm;
  /** Numbers of the accounts that the run is about. */
  readonly accounts?: readonly string[];
  /** A bank asks on a few pages; more mean that it does not take what is filled in. */
  readonly mostPages?: number;
  /** How long it waits before it looks again, where the PSU approves elsewhere. */
  readonly waitMs?: number;
}

/** How often it looks again whether the PSU has approved elsewhere; less often, once nobody ever did. */
const mostLooks = { atFirst: 40, later: 6 } as const;

/** How often it looks again at a page that leads nowhere. */
const mostTimesAgain = 3;

/** What to do on a page. */
type Move =
  | { readonly form: FilledForm }
  | { readonly href: string; readonly waits?: true }
  | { readonly frames: readonly string[] };

/** Walks plain HTML pages: fills in their forms until the bank sends the PSU back to the TPP. */
export function formWalker({
  http,
  redirectUri,
  names,
  accounts: prefers = [],
  mostPages = 12,
  waitMs = 500,
}: FormWalkerOptions): ScaWalker {
  let looks: number = mostLooks.atFirst;
  const ahead = new PagesAhead();
  /** Nobody can tell which of the choices of the page is for a company. */
  const isUnclear = ({ forms }: HtmlPage): boolean => forms.some((form) => asksInOtherWords(form, names));
  /** From a page that leads nowhere nobody passes SCA: something on the way may have shown it, or cut that of the bank. */
  async function lookAgain(browser: PageBrowser, place: Page, time: number): Promise<Place | undefined> {
    if (time > mostTimesAgain || !place.isAsked || !leadsNowhere(place.page) || saysDone(place.page))
      return undefined;
    await sleep(waitMs * time);
    const shown = await browser.reload(place);
    // It may be shown once only.
    return shown.at === 'page' && shown.status >= 400 ? undefined : shown;
  }
  /** Ends back at the TPP, or on a page without a way on. */
  async function walk(
    browser: PageBrowser,
    link: string,
    moveOn: (page: HtmlPage) => Move | undefined,
  ): Promise<Place> {
    let place = await browser.open(link);
    let before = '';
    let shown = '';
    let waits = 0;
    let again = 0;
    for (let number = 1; number <= mostPages; ) {
      if (place.at === 'tpp') return place;
      if (place.status >= 400) throw stuck(place, `was answered ${place.status}`, refused);
      const move = moveOn(place.page);
      if (move === undefined) {
        again += 1;
        const shownInstead = await lookAgain(browser, place, again);
        if (shownInstead === undefined) return place;
        place = shownInstead;
        continue;
      }
      const now = JSON.stringify([move, ...saidBy(place.page)]);
      const shownNow = JSON.stringify([place.page.title, place.page.text]);
      if ('waits' in move || (shownNow === shown && hasNothingToFillIn(place.page))) {
        if (waits === looks) {
          looks = mostLooks.later;
          throw stuck(place, `comes back, and came back ${waits} times before`, approvedElsewhere);
        }
        waits += 1;
        await sleep(waitMs);
      } else {
        // Hidden tokens may change from page to page; then the number of pages ends the walk.
        if (now === before && isUnclear(place.page)) throw untold(place);
        if (now === before)
          throw stuck(
            place,
            'comes back after it was filled in, so the bank does not take it',
            adviceFor(place.page, 'form' in move ? move.form : undefined),
          );
        number += 1;
      }
      before = now;
      shown = shownNow;
      place = await made(move, browser, place);
    }
    if (place.at === 'tpp') return place;
    throw stuck(place, `is still no end after ${mostPages} pages`);
  }

  return {
    async pass(link, person, record) {
      const home = person.redirectUri ?? redirectUri;
      const browser = new PageBrowser(http, home, record);
      const entries = { ...person, names, prefers };
      const deselected: Pick<Control, 'checked'>[] = [];
      const granted = new Map<string, string | undefined>();
      const leftEmpty = new Set<string>();
      let isScripted = false;
      let isAsked = false;
      let isFilledIn = false;
      let isFilledInByScript = false;
      const isOver = (): boolean => isFilledIn && !isFilledInByScript;
      // Somebody who acts for a company would be taken for a private person, by what a browser sends.
      const isUntold = (page: HtmlPage): boolean =>
        !isAsked && person.context === 'CORPORATE' && isUnclear(page);
      const seen = ahead.walk();
      const end = await walk(browser, link, (page) => {
        seen(page, cancel(page, names) !== undefined);
        const boxes = page.forms.flatMap((form) => deselectedBoxes(form, entries));
        deselected.push(...boxes);
        for (const word of page.forms.flatMap((form) => wordsLeftEmpty(form, entries))) leftEmpty.add(word);
        isScripted ||= boxes.length > 0 && page.hasScript;
        if (isUntold(page)) return undefined;
        const move = passed(page, home) ?? goOn(page, entries) ?? linkTo(home, page);
        const isForm = move !== undefined && 'form' in move;
        // What a receipt asks, beside its way back, is not who the PSU is.
        isAsked ||= isForm && page.forms.some(asksForText);
        isFilledIn ||= isForm;
        if (isForm)
          for (const { key, number } of page.forms.flatMap((form) => grantedBy(form, move.form)))
            granted.set(key, number);
        isFilledInByScript ||= isForm && page.hasScript;
        return move;
      }).catch((error: unknown) => {
        throw isOver() ? brokenDown(error) : error;
      });
      if (end.at === 'page' && end.page.forms.some((form) => isForOthers(form, entries)))
        throw stuck(end, 'lets people choose who they are, and has no such person', refused, 'not-listed');
      if (end.at === 'page' && isUntold(end.page)) throw untold(end);
      if (end.at === 'page') throw deadEnd(end, isOver());
      const back: PassedSca = {
        ...readScaReturn(end.address),
        ...(isAsked ? {} : { wasNotAsked: true as const }),
        granted: [...new Set([...granted.values()].filter((number) => number !== undefined))],
        grantedBoxes: granted.size,
      };
      if (deselected.length === 0) return back;
      const wasPreselected = deselected.every(({ checked }) => checked);
      const canBeTold = wasPreselected || !isScripted;
      return {
        ...back,
        hasDeselected: true,
        leftEmpty: [...leftEmpty],
        ...(canBeTold ? { wasPreselected } : {}),
      };
    },
    async abort(link, { nationalId, context, isLate = false, ...person } = {}, record) {
      const home = person.redirectUri ?? redirectUri;
      const browser = new PageBrowser(http, home, record);
      const entries = nationalId && context ? { nationalId, context, names, prefers } : undefined;
      let isKnown = !isLate;
      let isCancelled = false;
      let isCancelledByScript = false;
      let isDoubtful = false;
      let isMoved = false;
      const moveOn = (page: HtmlPage): Move | undefined => {
        isCancelledByScript ||= page.hasScript;
        if (entries && !isKnown) {
          const form = formOfUse(page, names.nationalIdField);
          isKnown = form !== undefined && !asksForNothing(form);
          return goOn(page, entries);
        }
        const way = cancel(page, names) ?? failed(page, home);
        if (isCancelled)
          return (
            confirmCancel(page, names) ??
            way ??
            confirm(page) ??
            sentByItself(page) ??
            wayBack(page) ??
            linkTo(home, page)
          );
        const isLed = entries !== undefined && ahead.areCancelledBehind(page);
        const further = isLed ? goOn(page, entries) : passBy(page, entries, names);
        const onward = way === undefined ? further : undefined;
        const last = way ?? (onward === undefined ? cancelBeside(page, names) : undefined);
        isCancelled = last !== undefined;
        isDoubtful = last !== undefined && 'isDoubtful' in last && last.isDoubtful;
        return last ?? onward;
      };
      const end = await walk(browser, link, (page) => {
        const move = moveOn(page);
        isMoved ||= move !== undefined;
        return move;
      }).catch((error: unknown) => {
        // Whoever has logged out has not cancelled, and need not be sent back.
        if (isDoubtful && error instanceof ScaWalkError) return undefined;
        throw isCancelled && !isCancelledByScript ? brokenDown(error) : error;
      });
      if (end === undefined) return undefined;
      if (end.at === 'page') {
        // Nobody gets on from the very first page, so that it says nothing of how SCA is cancelled.
        if (!isMoved && leadsNowhere(end.page)) throw deadEnd(end, false);
        const isLeft = isCancelled && !isDoubtful && !isCancelledByScript;
        if (isLeft && isHtml(end) && leadsNowhere(end.page)) throw keptBy(end);
        return undefined;
      }
      if (isLate && !isCancelled) return undefined;
      const back = readScaReturn(end.address);
      // The pages led to the end by themselves: nothing was cancelled.
      return isCancelled || back.psuId === undefined ? back : undefined;
    },
  };
}

/** On from a page that knows no way to cancel, and does not ask for approval either. */
function passBy(page: HtmlPage, entries: Entries | undefined, names: ScaForm): Move | undefined {
  const [form, ...more] = page.forms.filter(({ isBeside }) => !isBeside);
  // One that only leads on, as before SCA is passed.
  if (form === undefined)
    return (
      wayBack(page) ?? intoFrame(page) ?? byLink(withoutApproval(page), entries ?? { context: 'PRIVATE' })
    );
  // Nobody can tell what a script would send, where something else is pressed that approves.
  if (goButton(form, 'PRIVATE') === undefined && approves(`${page.title} ${page.text}`)) return undefined;
  const sent = sentByItself(page);
  if (sent !== undefined) return sent;
  // One that greets the PSU, and asks for nothing or in which language to go on.
  if (more.length === 0 && isGreeting(form))
    return entries === undefined ? confirm(page) : { form: fillIn(form, entries) };
  // One that asks who the PSU is: the way to cancel may come behind it.
  const asked = formOfUse(page, names.nationalIdField);
  return entries && asked && asksWho(asked, names.nationalIdField)
    ? { form: fillIn(asked, entries) }
    : undefined;
}

/** Whoever is to cancel follows no link that approves. */
const withoutApproval = (page: HtmlPage): HtmlPage => ({
  ...page,
  links: page.links.filter(({ text }) => !approves(text)),
});

/** Nothing is asked for that is the PSU's own, and going on approves nothing yet. */
const isGreeting = (form: HtmlForm): boolean =>
  asksHow(form) && !approves(goButton(form, 'PRIVATE')?.hints ?? '');

/** Pages of a row may all have the same buttons. What is typed in wrongly comes back with an error next to it. */
const saidBy = ({ title, text, forms }: HtmlPage): readonly string[] =>
  forms.some(asksForText) ? [title] : [title, text];

const asksForText = ({ isBeside, controls }: HtmlForm): boolean =>
  !isBeside && controls.some(({ kind }) => kind === 'text');

/** "Approve in the app, then go on": such a page comes back until that was done, and nothing on it could be wrong. */
const hasNothingToFillIn = ({ forms }: HtmlPage): boolean =>
  forms.some(({ isBeside }) => !isBeside) && forms.every((form) => form.isBeside || asksForNothing(form));

function goOn(page: HtmlPage, entries: Entries): Move | undefined {
  const { nationalIdField } = entries.names;
  const form = formOfUse(page, nationalIdField);
  // To go on as somebody else would show what is theirs.
  if (form !== undefined && isForOthers(form, entries)) return undefined;
  if (form !== undefined) return { form: fillIn(form, entries) };
  const beside = leadingForm(page.forms, nationalIdField);
  return (
    wayBack(page) ??
    intoFrame(page) ??
    byLink(page, entries) ??
    (beside === undefined ? undefined : { form: fillIn(beside, entries) })
  );
}

/** The form that the page is about; one beside that only where it asks for the number. */
function formOfUse({ forms }: HtmlPage, nationalIdField: string | undefined): HtmlForm | undefined {
  const form = leadingForm(forms, nationalIdField);
  return form?.isBeside && !hasHintedField(form, nationalIdField) ? undefined : form;
}

/** A page of choices may be one of links alone: how to log in, for whom to act, whether to approve. */
function byLink(
  { links }: HtmlPage,
  who: { readonly context: Context; readonly nationalId?: string },
): Move | undefined {
  const link = goLink(links, who);
  return link === undefined ? undefined : { href: link.href };
}

/** A link to the TPP is known by where it leads, whatever it says; and so is an address that a script leads to. */
function linkTo(
  home: string,
  { links, scripted, forms }: HtmlPage,
  isMeant: (back: ScaReturn) => boolean = () => true,
): Move | undefined {
  const href = [...links.map((link) => link.href), ...scripted, ...forms.flatMap(sentTo)].find(
    (address) => isReturnTo(home, address) && isMeant(readScaReturn(address)),
  );
  return href === undefined ? undefined : { href };
}

/** Where a form leads that only sends what the page has put into it, as one with a button back to the TPP does. */
function sentTo({ method, action, controls }: HtmlForm): readonly string[] {
  const isBare = controls.every(({ kind }) => kind === 'hidden' || kind === 'button');
  if (method !== 'GET' || !isBare || !URL.canParse(action)) return [];
  const url = new URL(action);
  const fields = controls.filter(({ kind, name }) => kind === 'hidden' && name !== '');
  url.search = new URLSearchParams(
    fields.map(({ name, value }): [string, string] => [name, value]),
  ).toString();
  return [url.href];
}

/** SCA is over once a page knows what to tell the TPP of the PSU, whatever else it offers. */
const passed = (page: HtmlPage, home: string): Move | undefined =>
  linkTo(home, page, ({ psuId }) => psuId !== undefined);

const failed = (page: HtmlPage, home: string): Move | undefined =>
  linkTo(home, page, ({ psuId, code }) => psuId === undefined && code !== undefined);

/** A last page may only link back to the TPP, or on; or it goes there by itself. */
function wayBack(page: HtmlPage): Move | undefined {
  const onward = page.links.find(
    ({ href, text }) => leadsSomewhere(href) && /contin|back to|videre|fortsett|tilbake til/i.test(text),
  );
  if (onward !== undefined) return { href: onward.href };
  return page.refresh === undefined ? undefined : { href: page.refresh, waits: true };
}

/** What a page without a form of its own shows may stand in a frame. */
function intoFrame(page: HtmlPage): Move | undefined {
  const frames = framesOf(page);
  return frames.length === 0 ? undefined : { frames };
}

function made(move: Move, browser: PageBrowser, from: Page): Promise<Place> {
  if ('form' in move) return browser.submit(from, move.form);
  return 'href' in move ? browser.click(from, move.href) : openFrame(browser, from, move.frames);
}
