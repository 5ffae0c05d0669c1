import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, member } from '../../spec/json.ts';
import { linkless } from '../design/approval-changes.ts';
import { allOf, inSuccesses, onPages, perBank, withAnswering, withState } from '../design/design-changes.ts';
import {
  accountBox,
  addressWith,
  asForms,
  asked,
  choosing,
  endingWith,
  escaped,
  flowIdOf,
  formOf,
  onOpening,
  opened,
  openedBy,
  openedTwiceBy,
  type PageText,
  page,
  pathOf,
  redirecting,
  relocating,
  replacing,
  returning,
  rewritten,
  translating,
  usualQuestion,
  usualWords,
  writing,
} from '../design/page-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { failFlow } from '../sca/walk-flow.ts';
import type { FlowStore, ScaFlow } from '../state/flows.ts';
import { accountsPage, hidesOthers, itself, lacking, rows, topic } from './dialect.ts';

/** Before the page that asks who the PSU is comes one that only has a button, and perhaps a choice. */
const greeted = (choice = '') =>
  perBank(() => {
    const greetedOnes = new Set<string>();
    return onOpening((open) => (request, state) => {
      if (request.query.get('lest') === 'ja') greetedOnes.add(flowIdOf(request));
      // Behind it a link of the next page may lose what this one has asked.
      if (greetedOnes.has(flowIdOf(request))) return open(request, state);
      const path = pathOf(request);
      return page(
        `<h1>Velkommen</h1><form method="get" action="${path}"><input type="hidden" name="lest" value="ja">${choice}<button type="submit">Fortsett</button><a href="${path}?lest=ja&amp;avbryt=1"></a></form>`,
      );
    });
  });

const idsOfDigits = withState(({ psuIds, customers }) => {
  const idFor = (tppId: string, customerNumber: string): string =>
    psuIds
      .idFor(tppId, customerNumber)
      .replaceAll(/[a-f]/g, (letter) => '894567'.charAt('abcdef'.indexOf(letter)));
  const customerNumberOf = (tppId: string, psuId: string): string | undefined =>
    customers.list().find(({ customerNumber }) => idFor(tppId, customerNumber) === psuId)?.customerNumber;
  return { psuIds: { idFor, customerNumberOf } };
});

const isFailure = (query = ''): boolean => /(?:^|&)code=[^&]/.test(query);

const namingAll = (query: string): string =>
  ['psu-id', 'psu-corporate-id', 'tpp-session-id', 'context', 'system', 'status', 'code', 'message'].reduce(
    (written, name) => (new URLSearchParams(written).has(name) ? written : `${written}&${name}=`),
    query,
  );

/** SCA that failed is told with the session that it was for, and fails at once for whom the bank does not know. */
const namingTheSession = allOf(
  onPages((route) => (request, state) => {
    const flow = state.flows.find(flowIdOf(request));
    const number = formOf(request).get('nationalId') ?? '';
    return flow === undefined || number === '' || state.customers.byNumber(number) !== undefined
      ? route.handle(request, state)
      : failFlow(flow, { status: 401, code: 'PSU_CREDENTIALS_INVALID', message: 'Ukjent kunde' });
  }),
  relocating((address, { sessionId }) =>
    isFailure(address.split('?')[1]) ? `${address}&tpp-session-id=${encodeURIComponent(sessionId)}` : address,
  ),
);

const inOwnWords = (query: string): string =>
  Object.entries({
    code: 'USER_CANCELLED',
    status: '403',
    message: 'Brukeren avbrøt påloggingen – prøv igjen',
  }).reduce(
    (written, [name, value]) =>
      written.replace(new RegExp(`(?<=(?:^|&)${name}=)[^&]*`), encodeURIComponent(value)),
    query,
  );

// biome-ignore format: a table
const redirects = rows(
  ['redirects/more-parameters', 'adds parameters of its own to the redirect', itself,
    redirecting((query) => `${query}&lang=nb&uuid=${randomUUID()}&expires-in=3600&bank=reference`)],
  ['redirects/every-parameter', 'names all parameters in every redirect, and leaves those empty that do not apply', itself, redirecting(namingAll)],
  ['redirects/failed-session', 'names the session of the request in the redirect after failed SCA as well', itself, namingTheSession],
  ['redirects/302', 'redirects with 302', itself, redirecting((query) => query, 302)],
  ['redirect-order/reversed', 'writes the parameters of the redirect in another order', topic, redirecting((query) => query.split('&').toReversed().join('&'))],
  ['redirects/plus', 'writes spaces as plus signs in the redirect, as forms do', itself, redirecting((query) => query.replaceAll('%20', '+'))],
  ['redirects/all-encoded', 'encodes every character of names and values in the redirect, whether it has to be or not', itself,
    redirecting((query) => query.replaceAll(/%[\da-f]{2}|[^&=+]/gi, (each) =>
      each.length === 3 ? each : `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`))],
  ['redirects/message-encoded-twice', 'takes the URL-encoded message of a failed SCA for a value, and encodes it with the others', itself,
    redirecting((query) => query.replace(/(?<=(?:^|&)message=)[^&]*/, encodeURIComponent(encodeURIComponent('Brukeren avbrøt innloggingen'))))],
  ['redirects/own-code', 'tells the TPP of a failed SCA in words and codes of its own', itself, redirecting((query) => (isFailure(query) ? inOwnWords(query) : query))],
  ['psu-ids/digits', 'hands out PSU-IDs that have no letters', itself, idsOfDigits],
  ['psu-ids/upper-case', 'writes PSU-IDs in upper case, and knows them in either', itself,
    redirecting((query) => query.replace(/(?<=(?:^|&)psu-id=)[^&]*/, (id) => id.toUpperCase()))],
);

const site = `<header><form action="/sok"><input name="q" placeholder="Søk"><button>Søk</button></form>
<form action="/sprak" method="post"><select name="lang"><option>nb<option>en</select><button name="lang" value="en">Continue in English</button></form></header>
<aside><form action="/cookies" method="post"><input type="checkbox" name="alle"><button>Godta alle</button><button name="cancel" value="1">Avslå alle</button></form></aside>
<form action="/kundeservice" method="post"><textarea name="melding"></textarea><button>Send</button></form>`;

const inTheBody = /<body[^>]*>/;
const onEveryPage = /<body[^>]*>|<\/title>/;
const cancelButton = /<button[^>]*value="cancel"[^>]*>[^<]*<\/button>/;
const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${value}">`;

const askedAgain = onPages((route) => (request, state) => {
  const form = formOf(request);
  if (form.has('sikker') || form.get('action') !== 'cancel') return route.handle(request, state);
  const fields = [...form].map(([name, value]) => hiddenField(name, escaped(value)));
  return page(
    `<h1>Vil du avbryte?</h1><form action="${pathOf(request)}"><button>Nei, tilbake</button></form>
<form method="post" action="${pathOf(request)}">${fields.join('')}<button name="sikker" value="ja">Ja</button></form>`,
  );
});

const withCookie = allOf(
  onOpening((open) => async (request, state) => {
    const answer = await open(request, state);
    return {
      ...answer,
      headers: { ...answer.headers, 'Set-Cookie': `flyt=${flowIdOf(request)}; Path=/; HttpOnly` },
    };
  }),
  onPages(
    (route) => (request, state) =>
      request.header('cookie')?.includes(`flyt=${flowIdOf(request)}`)
        ? route.handle(request, state)
        : page('<h1>Informasjonskapsler er slått av</h1>', 403),
  ),
);

const fromItsOwnPages = onPages((route) => async (request, state) => {
  const isOwn = (said = ''): boolean => URL.canParse(said) && new URL(said).host === request.header('host');
  if (![request.header('origin'), request.header('referer')].every(isOwn))
    return page('<h1>Skjemaet er ikke vårt</h1>', 403);
  const answer = await route.handle(request, state);
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'strict-origin' } };
});

/** Whoever was just created in the sandbox has no accounts yet, and nothing to grant or to pay from. */
const holdsNothing = (number: string, { customers }: BankState): boolean =>
  customers.accountsOf(number).length === 0 && customers.agreementsOf(number).length === 0;

const forHoldersOnly = onPages((route) => (request, state) => {
  const number = /nationalId=(\d{11})(?:&|$)/.exec(request.bytes.toString('utf8'))?.[1] ?? '';
  return state.customers.byNumber(number) !== undefined && holdsNothing(number, state)
    ? page('<h1>Du har ingen kontoer i banken</h1>')
    : route.handle(request, state);
});

/** Whoever logs in anew, at another link, has ended what they had begun before. It takes them a moment. */
const oneAtATime = perBank(() => {
  const customers = new Map<string, string>();
  const latest = new Map<string | undefined, string>();
  return onPages((route) => async (request, state) => {
    const id = flowIdOf(request);
    const number = /=(\d{11})(?:&|$)/.exec(request.bytes.toString('utf8'))?.[1];
    if (number !== undefined && !customers.has(id)) {
      customers.set(id, number);
      latest.set(number, id);
    }
    await sleep(5);
    const isEnded = (latest.get(customers.get(id)) ?? id) !== id;
    return isEnded ? page('<h1>Du har logget inn et annet sted</h1>', 409) : route.handle(request, state);
  });
});

/** A newer link of a PSU, whatever it is for, ends those that they were given before. */
const newestLink = (ending: (flows: FlowStore, isOver: (flow: ScaFlow) => boolean) => Partial<FlowStore>) =>
  withState(({ flows }) => {
    const newest = new Map<string, string>();
    const start: FlowStore['start'] = (begun) => {
      const flow = flows.start(begun);
      if (begun.customerNumber !== undefined) newest.set(begun.customerNumber, flow.id);
      return flow;
    };
    const isOver = ({ id, step, customerNumber = '' }: ScaFlow): boolean =>
      step !== 'finished' && (newest.get(customerNumber) ?? id) !== id;
    return { flows: { ...flows, start, ...ending(flows, isOver) } };
  });

function formBack(address: string): string {
  const url = new URL(address);
  const fields = [...url.searchParams].map(([name, value]) =>
    hiddenField(name, value.replaceAll('"', '&quot;')),
  );
  url.search = '';
  return `<main><h1>Ferdig</h1><form method="get" action="${url.href}">${fields.join('')}<button>Tilbake</button></form></main><footer><form action="https://www.bank.example/sok"><input name="q"><button>Søk</button></form></footer>`;
}

const approvingByApp = withAnswering(({ finish }) => ({
  finish: async (answer, request) => {
    const finished = await finish(answer, request);
    const links = member(finished.body, '_links');
    return finished.status === 201 && request?.header('tpp-redirect-preferred') === 'false' && isObject(links)
      ? { ...finished, body: { ...Object(finished.body), _links: linkless(links) } }
      : finished;
  },
}));

const relative = <Sent extends { readonly href: string }>(link: Sent): Sent => ({
  ...link,
  href: link.href.replace(/^\w+:\/\/[^/]+/, ''),
});

const relativeScaLinks = allOf(
  withState(({ psus }) => ({
    psus: { ...psus, startSca: (...request) => relative(psus.startSca(...request)) },
  })),
  withAnswering(({ refusal: answerTo }) => ({
    refusal: (refusal) => {
      const { scaRedirect } = refusal.links ?? {};
      return answerTo(
        scaRedirect === undefined
          ? refusal
          : { ...refusal, links: { ...refusal.links, scaRedirect: relative(scaRedirect) } },
      );
    },
  })),
);

// biome-ignore format: a table
const onTheWay = rows(
  ['sca-links/relative', 'sends relative links to SCA', itself, relativeScaLinks],
  ['sca-links/by-app', 'asks for approval in its app, without a link, whom the TPP does not want to redirect', itself, approvingByApp],
  ['pages/greeting', 'greets the PSU on a page of its own', topic, greeted()],
  ['pages/languages', 'asks the PSU for a language on a page of its own, which cannot be cancelled', topic,
    greeted('<label>Språk <select name="sprak"><option value="nb">Norsk</option><option value="en" selected>English</option></select></label>')],
  ['pages/greetings', 'greets the PSU on two pages with the same button', topic, openedTwiceBy('lest', (count) =>
    `<h1>${count === 0 ? 'Velkommen' : 'Vilkår for innsyn'}</h1><form method="get"><button type="submit" name="lest" value="ja">Fortsett</button></form>`)],
  ['pages/links', 'lets the PSU choose by a link how to log in', topic, openedBy('bankid', (request) =>
    page(`${site}<h1>Hvordan vil du logge inn?</h1><p><a href="/hjelp">Hjelp</a></p><p><a href="${escaped(addressWith(request, 'bankid=mobil'))}">BankID på mobil</a></p>`))],
  ['pages/only-link', 'leads to its page by the only link of another, whatever it says', topic, openedBy('inn', (request) =>
    page(`<meta http-equiv="refresh" content="300; url=/tidsavbrudd"><h1>Velkommen</h1><a href="${escaped(addressWith(request, 'inn=1'))}">Åpne nettbanken</a>`))],
  ['pages/asked-again', 'asks the PSU who cancels whether they mean it', topic, askedAgain],
  ['pages/cancelled-later', 'lets the PSU cancel behind the page that asks who they are', topic,
    rewritten((html) => (html.includes('name="nationalId"') ? html.replace(cancelButton, '') : html))],
  ['pages/hop', 'leads from the link to its page by another redirect', topic, openedBy('klar', (request) =>
    ({ status: 302, headers: { Location: addressWith(request, 'klar=1') } }))],
  ['pages/refresh', 'leads from the link to its page by a page that refreshes', topic, openedBy('klar', (request) =>
    page(`<meta http-equiv="refresh" content="0; url=${escaped(addressWith(request, 'klar=1'))}"><p>Et øyeblikk …</p>`))],
  // As one does that waits for an app of the PSU, without a word on where to go.
  ['pages/reload', 'shows a page that waits, and is loaded again', topic,
    opened(() => () => page('<meta http-equiv="refresh" content="1"><p>Venter på BankID …</p>'), (open) => open)],
  ['pages/app', 'shows the same button until the PSU has approved in an app', topic, openedTwiceBy('gang', (count) =>
    `<h1>Bekreft i BankID-appen</h1><form method="get">${hiddenField('gang', `${count}`)}<button type="submit">Fortsett</button></form>`)],
  ['pages-with/cookie', 'wants the cookie of its first page', itself, withCookie],
  ['pages-with/own-forms', 'takes forms only where Origin and Referer name its own pages', itself, fromItsOwnPages],
  ['pages-for/holders', 'lets nobody pass SCA who holds no accounts', itself, forHoldersOnly],
  ['pages/once', 'opens a link once', topic, opened((open) => open, () => () => page('<h1>Lenken er brukt</h1>', 410))],
  ['pages/one-at-a-time', 'lets a PSU pass one SCA at a time: a newer one ends that before', topic, oneAtATime],
  ['pages/newest-link', 'ends the older links of a PSU with a newer one', topic, newestLink((flows, isOver) => ({ find: (id) => {
    const flow = flows.find(id);
    return flow === undefined || isOver(flow) ? undefined : flow;
  } }))],
  ['pages/newest-or-back', 'ends the older links of a PSU with a newer one, and sends back who follows them', topic,
    newestLink((flows, isOver) => ({ isExpired: (flow) => flows.isExpired(flow) || isOver(flow) }))],
  ['pages-with/template', 'keeps the form of another page in a template on every page', itself, replacing(onEveryPage,
    '$&<template><form action="/klage" method="post"><label>Fødselsnummer <input name="fnr"></label><button>Send</button></form></template>')],
  ['pages-with/dialogue', 'asks on every page what it may store, in a form of that page', itself, replacing(inTheBody,
    '$&<dialog open><form method="dialog"><p>Informasjonskapsler</p><button value="ja">Godta alle</button><button value="nei">Avvis</button></form></dialog>')],
  ['pages-with/site', 'shows search, languages and cookies on every page', itself, replacing(onEveryPage, `$&${site}`)],
  ['redirects/receipt', 'shows the PSU a receipt that links back to the TPP', itself,
    returning((address) => `<p>Takk!</p><a href="${escaped(address)}">Tilbake til butikken</a>`)],
  ['redirects/receipt-of-site', 'shows the PSU a receipt in Nynorsk, with other links and a question', itself, returning((address) =>
    `<form action="/meining" method="post"><label>Kva synest du? <input name="meining"></label><button>Send inn</button></form>
<p>Takk! <a href="/hjelp">Hjelp</a> <a href="${escaped(address)}">Attende til nettbutikken</a></p>`)],
  ['redirects/form', 'sends the PSU back by a form, above a search that leads elsewhere', itself, returning(formBack)],
  ['redirects/refresh-header', 'sends the PSU back by the header Refresh', itself, endingWith((address, { headers: { Location: _, ...headers } = {} }) =>
    ({ ...page('<p>Et øyeblikk …</p>'), headers: { ...headers, Refresh: `0; url=${address}` } }))],
  ['accounts-page/buttons', 'asks yes or no for each account, by radio buttons', topic, choosing('nei', (name, text, granted, denied) =>
    `<p>${text}</p><label><input type="radio" name="${name}" value="ja"${granted(' checked')}> Ja</label>
<label><input type="radio" name="${name}" value="nei"${denied(' checked')}> Nei</label>`)],
  ['accounts-page/lists', 'lets the PSU choose from a list what each account is granted', topic, choosing('ingen', (name, text, granted) =>
    `<p><label for="${name}">${text}</label> <select id="${name}" name="${name}"><option value="ingen">Ingen tilgang</option>
<option value="alt"${granted(' selected')}>Saldo og transaksjoner</option></select></p>`)],
  ['pages/ticked-by-script', 'ticks the boxes of granted accounts by a script', accountsPage, [
    rewritten((html) => html.replace(/(<input type="checkbox"[^>]*) checked>/g, '$1 data-granted>')),
    replacing(/<\/body>|$/, "<script>for (const box of document.querySelectorAll('[data-granted]')) box.checked = true;</script>$&"),
  ]],
  ['redirects/script', 'sends the PSU back by the script of a page', itself,
    returning((address) => `<script>window.location.replace(${JSON.stringify(address)})</script>`)],
  ['redirects/button', 'sends the PSU back when they press a button that is in no form', itself, returning((address) =>
    `<button type="button" onclick="window.location.href = '${escaped(address).replaceAll("'", '%27')}'">Lukk</button>`)],
);

const oneLabel = (html: string): string =>
  html.replace(/<div class="actions">([\s\S]*?)<\/div>/, '<p><label>$1</label></p>');

// biome-ignore format: a table
const oldPages = rows(
  ['pages/frames', 'shows its pages in a frame below one with its name', topic, openedBy('side', (request) =>
    page(request.query.has('ramme')
      ? '<h1>Banken</h1><p><a href="/">Forsiden</a></p>'
      : `<frameset rows="80,*"><frame src="${pathOf(request)}?ramme=topp"><frame src="${pathOf(request)}?side=innhold"></frameset>`))],
  // On every page there is a way out of the bank, which cancels nothing.
  ['pages/terms', 'has the PSU agree to its terms on a page of its own, which cannot be cancelled', topic, [
    greeted('<label><input type="checkbox" name="vilkar" value="godtatt" required> Jeg godtar vilkårene</label>'),
    rewritten((html) => `${html}<footer><form action="/logg-ut" method="post"><button>Logg ut</button></form></footer>`),
  ]],
  ['pages-with/tables', 'writes next to a choice, in no label, what it means', itself, [
    asked(usualQuestion, ['1', usualWords.PRIVATE], ['2', usualWords.CORPORATE]),
    replacing(/<label class="choice">(<input[^>]*>)\s*<span>([\s\S]*?)<\/span><\/label>/g, '<table><tr><td>$2</td><td>$1</td></tr></table>'),
  ]],
  ['pages-with/one-label', 'has one label around all buttons of a page', itself, rewritten(oneLabel)],
  ['pages-with/own-for-telephones', 'lays out its pages for telephones and for other browsers each in a way of its own', itself, rewritten((html, request) =>
    /Mobile/.test(request.header('user-agent') ?? '') ? oneLabel(html) : html.replaceAll('<label', '<b></b><label'))],
);

export const redirectDialects = [...redirects, ...onTheWay, ...oldPages];

/** A field that nobody sees. It comes back right only in the letters of the page. */
const [hiddenName, hiddenValue] = ['målform', 'bokmål'] as const;

/** Letters that ISO 8859-1 lacks are written as their numbers. */
const inLatin = ({ content }: PageText): PageText => ({
  type: 'text/html; charset=ISO-8859-1',
  letters: 'latin1',
  content: content
    .replace('charset="utf-8"', 'charset="ISO-8859-1"')
    .replaceAll('</form>', `${hiddenField(hiddenName, hiddenValue)}</form>`)
    .replaceAll(/[^\0-\u00ff]/gu, (letter) => `&#${letter.codePointAt(0)};`),
});

function latinForm({ bytes }: BankRequest): URLSearchParams | undefined {
  const decoded = (text = ''): string =>
    text
      .replaceAll('+', ' ')
      .replaceAll(/%([\da-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .map((pair) => pair.split('=', 2));
  const form = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [decoded(name), decoded(value)]),
  );
  if (form.get(hiddenName) !== hiddenValue) return undefined;
  form.delete(hiddenName);
  return form;
}

/** RFC 7578. */
function partsOf(request: BankRequest): URLSearchParams | undefined {
  const boundary = /^multipart\/form-data; ?boundary="?([^"]+)"?$/i.exec(
    request.header('content-type') ?? '',
  )?.[1];
  if (boundary === undefined) return undefined;
  const parts = request.bytes.toString('utf8').split(`--${boundary}`).slice(1, -1);
  return new URLSearchParams(
    parts.map((part): [string, string] => {
      const end = part.indexOf('\r\n\r\n');
      return [/name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '', part.slice(end + 4, -2)];
    }),
  );
}

const numberField = /<div class="field">\s*<label[^>]* for="nationalId">[\s\S]*?<\/div>/;

const knowingThePsu = allOf(
  translating((form, request, { flows }) => {
    const number = flows.find(flowIdOf(request))?.customerNumber;
    if (number !== undefined) form.set('nationalId', number);
  }),
  rewritten((html, request, { flows }) =>
    flows.find(flowIdOf(request))?.customerNumber === undefined ? html : html.replace(numberField, ''),
  ),
);

/** A sandbox may list its people on the page; who was just created holds nothing yet, and is not among them. */
const choosingWho = rewritten((html, _, state) => {
  const holders = state.customers.list().filter(({ customerNumber }) => !holdsNothing(customerNumber, state));
  const options = holders.map(
    ({ customerNumber }, place) => `<option value="${customerNumber}">Testperson ${place + 1}</option>`,
  );
  return html.replace(
    numberField,
    `<label for="nationalId">Hvem er du?</label><select id="nationalId" name="nationalId"><option value="">Velg</option>${options.join('')}</select>`,
  );
});

const choosingWhoByLink = rewritten((html, { query, method }, { customers }) => {
  if (method !== 'GET' || !numberField.test(html)) return html;
  const chosen = query.get('hvem');
  if (chosen !== null)
    return html.replace(numberField, hiddenField('nationalId', chosen.replaceAll(/\D/g, '')));
  const here = (who: string): string => escaped(`?${new URLSearchParams([...query, ['hvem', who]])}`);
  const links = customers
    .list()
    .map(
      ({ customerNumber, customerName }) =>
        `<li><a href="${here(customerNumber)}">${escaped(customerName)}, ${customerNumber}</a></li>`,
    );
  const cancelling = html.includes('value="cancel"') ? `<a href="${here('')}">Avbryt</a>` : '';
  return html.replace(/<form[\s\S]*<\/form>/, `<ul>${links.join('')}</ul>${cancelling}`);
});

/** A credit card has an account, whose number is like those of other accounts. The pages know a card by its masked number. */
const cardAccount = '95379100105';
const callingCards = (words: string) => replacing(/\d{6}\*{6}\d{4}/g, words);

// biome-ignore format: a table
export const formDialects = rows(
  ['forms/older-letters', 'writes its pages in ISO 8859-1, and reads forms in it', accountsPage, [writing(inLatin), asForms(latinForm)]],
  ['forms/parts', 'has its forms sent as multipart/form-data', accountsPage, [replacing(/<form method="post"/g, '$& enctype="multipart/form-data"'), asForms(partsOf)]],
  ['forms/company-box', 'asks by a box whether the PSU acts for a company', accountsPage, [
    replacing(/<fieldset[^>]*>(?:(?!<\/fieldset>)[\s\S])*name="context"[\s\S]*?<\/fieldset>/,
      '<label><input type="checkbox" name="context" value="CORPORATE"> Jeg representerer en bedrift</label>'),
    translating((form) => { if (form.has('nationalId') && !form.has('context')) form.append('context', 'PRIVATE'); }),
  ]],
  ['forms/trap', 'has a field that nobody sees, for programs to fill in', accountsPage, [
    replacing(/<div class="actions">/g, '<div aria-hidden="true"><label for="epost">E-post</label><input type="text" id="epost" name="epost" tabindex="-1"></div>$&'),
    asForms((request) => (formOf(request).getAll('epost').some(Boolean) ? undefined : formOf(request))),
  ]],
  ['forms/number-in-parts', 'asks for the day of birth and the rest of the number', accountsPage, [
    replacing(numberField, `<label for="dato">Fødselsdato</label><input type="text" id="dato" name="dato" maxlength="6">
<label for="nummer">Personnummer</label><input type="text" id="nummer" name="nummer" maxlength="5">`),
    asForms((request) => {
      const form = formOf(request);
      const [birth, further] = [form.get('dato') ?? '', form.get('nummer') ?? ''];
      if (form.has('dato')) form.append('nationalId', birth + further);
      return birth.length > 6 || further.length > 5 ? undefined : form;
    }),
  ]],
  ['forms/answer-in-list', 'has the PSU approve or decline by a list', accountsPage, [
    replacing(/<button[^>]* value="continue">(?:Approve|Confirm)<\/button>\s*<button[^>]* value="cancel"[^>]*>Cancel<\/button>/,
      '<label>Answer <select name="action"><option>–</option><option value="cancel">Decline</option><option value="continue">Approve</option></select></label><button type="submit">Send</button>'),
    asForms((request) => (formOf(request).get('action') === '–' ? undefined : formOf(request))),
  ]],
  ['forms/one-list', 'lets the PSU choose several accounts from one list', accountsPage, rewritten((html) =>
    html.replace(new RegExp(`(?:${accountBox.source}\\s*)+`), (boxes) => `<label>Kontoer <select name="accounts" multiple>${
      boxes.replaceAll(accountBox, (_, id, checked, text) => `<option value="${id}"${checked ? ' selected' : ''}>${text.replaceAll(/<[^>]*>/g, ' ')}</option>`)
    }</select></label>`))],
  ['forms/card-numbers', 'calls a card by the number of its account', accountsPage, [callingCards(cardAccount), inSuccesses(['listCardAccounts'], (body) =>
    ({ cardAccounts: [body.cardAccounts].flat().map((card) => ({ ...Object(card), accountNumber: cardAccount })) }))]],
  ['forms/card-and-account', 'calls a card by its own number and that of its account, which no listing tells', accountsPage, callingCards(`$& (konto ${cardAccount})`)],
  ['forms/card-numbers-untold', 'calls a card by the number of its account alone, which no listing tells', accountsPage, callingCards(cardAccount)],
  ['forms/people', 'has people choose from a list who they are', accountsPage, choosingWho],
  ['forms/people-as-links', 'has people choose by a link who they are', accountsPage, choosingWhoByLink],
  ['pages/known-psu', 'asks nobody who they are whom the request has named', accountsPage, knowingThePsu],
  ['pages/approve-only', 'shows a PSU whom the request has named nothing but what they approve, without a way to cancel', accountsPage,
    [knowingThePsu, replacing(cancelButton, '')],
    { ...lacking('the pages have no way to cancel, and ask nobody who they are', 'OWN-03', 'RDF-01', 'RDF-02', 'RDF-03', 'RDF-04', 'RDF-05', 'SES-04'), ...hidesOthers }],
);

// biome-ignore format: a table
export const contextWordDialects = rows(
  ['context-words/customers', 'asks whether the PSU is a customer of one kind or of the other', accountsPage, asked('Kundetype', ['1', 'Forbruker'], ['2', 'Næring'])],
  ['context-words/nynorsk', 'asks in Nynorsk for whom the PSU acts', accountsPage, asked('Kven handlar du for?', ['0', 'På eigne vegner'], ['1', 'På vegner av ei verksemd'])],
  ['context-words/others', 'asks whether the PSU acts for somebody else', accountsPage, asked('Who do you act for?', ['A', 'Yourself'], ['B', 'Somebody else'])],
  ['context-words/one-understood', 'has words of its own for those who act for a company', accountsPage,
    asked('Hvem handler du for?', ['eget', 'Meg selv'], ['fullmakt', 'En fullmaktsgiver'])],
);

const backByForm = allOf(
  endingWith((address, _, request) =>
    page(`<p>Et øyeblikk …</p><form id="ferdig" method="post" action="${pathOf(request)}">${hiddenField('tilbake', escaped(address))}</form>
<script>document.getElementById('ferdig').submit();</script>`),
  ),
  onPages((route) => (request, state) => {
    const way = formOf(request).get('tilbake');
    return way === null ? route.handle(request, state) : { status: 303, headers: { Location: way } };
  }),
);

const cancelledBy = (words: string) =>
  rewritten((html) =>
    cancelButton.test(html)
      ? html
          .replace(cancelButton, '')
          .replace(
            '</form>',
            `</form><form id="avbryt" method="post">${hiddenField('action', 'cancel')}</form>${words}`,
          )
      : html,
  );

// biome-ignore format: a table
export const scriptedPageDialects = rows(
  ['pages/sent-by-script', 'leads from the link to its page by a form that a script sends', topic, openedBy('klar', (request) =>
    page(`<body onload="document.forms[0].submit()"><form action="${pathOf(request)}">${hiddenField('klar', '1')}</form></body>`))],
  ['redirects/sent-by-script', 'sends the PSU back by a form that a script sends', itself, backByForm],
  ['forms/cancelled-by-link', 'lets the PSU cancel by a link whose script sends a form', accountsPage,
    cancelledBy(`<a href="javascript:document.getElementById('avbryt').submit()">Avbryt</a>`)],
  ['forms/cancelled-by-script', 'lets the PSU cancel by a button outside of all forms, whose script sends one', accountsPage,
    cancelledBy(`<button type="button" id="ut">Avbryt</button>
<script>document.getElementById('ut').addEventListener('click', () => document.getElementById('avbryt').submit());</script>`)],
  ['forms/cancelled-in-form', 'lets the PSU cancel by a button whose script fills in its form', accountsPage, [
    replacing(cancelButton, `<input type="hidden" id="hva" name="action" value="continue"><button type="button" onclick="document.getElementById('hva').value = 'cancel'; this.form.submit()">Avbryt</button>`),
    replacing(/ name="action"(?= value="continue">(?!<button type="button"))/, ''),
  ]],
  ['forms/ended', 'lets the PSU end a page, in other words than cancelling it', accountsPage, [
    asForms((request) => (formOf(request).has('slutt') ? 'action=cancel' : formOf(request))),
    replacing(cancelButton, '<button name="slutt" value="1">Avslutt</button>'),
  ]],
);
