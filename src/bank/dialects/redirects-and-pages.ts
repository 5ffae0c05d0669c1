import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../spec/json.ts';
import { changedRequest } from '../design/changed-request.ts';
import { allOf, type DesignChange, onPages, withAnswering, withState } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import type { FlowStore, ScaFlow } from '../state/flows.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';
import {
  askedAgain,
  choosingByLink,
  greeted,
  greetedTwice,
  type Handle,
  hopping,
  onOpening,
  opened,
  page,
  pressedAgain,
  refreshing,
  reloading,
  site,
} from './first-pages.ts';
import { oldPageDialects, rewritten } from './old-pages.ts';
import { linkless } from './success-bodies.ts';
import { formBack, redirects } from './ways-back.ts';

const cookie = 'flyt';

/** The pages know each other by a cookie. */
const withCookie: DesignChange = (design) => {
  const isKnown = (request: BankRequest): boolean =>
    (request.header('cookie') ?? '').includes(`${cookie}=${request.params.flowId ?? ''}`);
  const refusal = page('<h1>Informasjonskapsler er slått av</h1>');
  const known =
    (handle: Handle): Handle =>
    (request: BankRequest, state: BankState) =>
      isKnown(request) ? handle(request, state) : { ...refusal, status: 403 };
  const opened = onOpening((open) => async (request, state) => {
    const answer = await open(request, state);
    return {
      ...answer,
      headers: {
        ...answer.headers,
        'Set-Cookie': `${cookie}=${request.params.flowId ?? ''}; Path=/; HttpOnly`,
      },
    };
  });
  return onPages((route) => known(route.handle))(opened(design));
};

/** Forms are taken from its own pages only, which a browser tells by Origin and Referer. */
const fromItsOwnPages: DesignChange = onPages((route) => async (request, state) => {
  const isOwn = [request.header('origin'), request.header('referer')].every(
    (said) => said !== undefined && URL.canParse(said) && new URL(said).host === request.header('host'),
  );
  if (request.method !== 'GET' && !isOwn) return { ...page('<h1>Skjemaet er ikke vårt</h1>'), status: 403 };
  const answer = await route.handle(request, state);
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'strict-origin' } };
});

/** Whoever was just created in the sandbox has no accounts yet, and nothing to grant or to pay from. */
const forHoldersOnly: DesignChange = onPages((route) => (request, state) => {
  const number = /nationalId=(\d{11})(?:&|$)/.exec(request.bytes.toString('utf8'))?.[1] ?? '';
  const { byNumber, accountsOf, agreementsOf } = state.customers;
  const holdsNothing = [accountsOf(number), agreementsOf(number)].every(({ length }) => length === 0);
  return byNumber(number) !== undefined && holdsNothing
    ? page('<h1>Du har ingen kontoer i banken</h1>')
    : route.handle(request, state);
});

/** A link can be opened once, as one that was sent by mail. */
const once: DesignChange = (design) => {
  const seen = new Set<string>();
  return onOpening((open) => (request, state) => {
    const id = request.params.flowId ?? '';
    if (seen.has(id)) return { ...page('<h1>Lenken er brukt</h1>'), status: 410 };
    seen.add(id);
    return open(request, state);
  })(design);
};

/** Whoever logs in anew, at another link, has ended what they had begun before. It takes them a moment. */
const oneAtATime: DesignChange = (design) => {
  const customers = new Map<string, string>();
  const latest = new Map<string, string>();
  const ended = { ...page('<h1>Du har logget inn et annet sted</h1>'), status: 409 };
  return onPages((route) => async (request, state) => {
    const id = request.params.flowId ?? '';
    const number = /=(\d{11})(?:&|$)/.exec(request.bytes.toString('utf8'))?.[1];
    if (number !== undefined && !customers.has(id)) {
      customers.set(id, number);
      latest.set(number, id);
    }
    await sleep(5);
    const customer = customers.get(id);
    return customer !== undefined && latest.get(customer) !== id ? ended : route.handle(request, state);
  })(design);
};

/** A newer link of a PSU, whatever it is for, ends those that they were given before. */
const newestLink = (
  ending: (flows: FlowStore, isOver: (flow: ScaFlow) => boolean) => Partial<FlowStore>,
): DesignChange =>
  withState(({ flows }) => {
    const newest = new Map<string, string>();
    const isOver = ({ id, step, customerNumber = '' }: ScaFlow): boolean =>
      step !== 'finished' && (newest.get(customerNumber) ?? id) !== id;
    return {
      flows: {
        ...flows,
        start: (start) => {
          const flow = flows.start(start);
          if (start.customerNumber !== undefined) newest.set(start.customerNumber, flow.id);
          return flow;
        },
        ...ending(flows, isOver),
      },
    };
  });

const gone = newestLink((flows, isOver) => ({
  find: (id) => {
    const flow = flows.find(id);
    return flow === undefined || isOver(flow) ? undefined : flow;
  },
}));

const sentBack = newestLink((flows, isOver) => ({
  isExpired: (flow) => flows.isExpired(flow) || isOver(flow),
}));

/** Whoever has not said who they are has nothing to cancel. */
const cancelledLater = rewritten((html) =>
  html.includes('name="nationalId"')
    ? html.replace(/<button[^>]*value="cancel"[^>]*>[^<]*<\/button>/, '')
    : html,
);

const inSite = rewritten((html) => html.replace(/<body[^>]*>|<\/title>/, `$&${site}`));

/** What a script would put onto the page where it is wanted, and no PSU sees before. */
const withTemplate = rewritten((html) =>
  html.replace(
    /<body[^>]*>|<\/title>/,
    '$&<template><form action="/klage" method="post"><label>Fødselsnummer <input name="fnr"></label><button>Send</button></form></template>',
  ),
);

const withDialogue = rewritten((html) =>
  html.replace(
    /<body[^>]*>/,
    '$&<dialog open><form method="dialog"><p>Informasjonskapsler</p><button value="ja">Godta alle</button><button value="nei">Avvis</button></form></dialog>',
  ),
);

/** A receipt with more on it than the way back, in words of its own. */
const receiptOfSite = (address: string): string =>
  `<form action="/meining" method="post"><label>Kva synest du? <input name="meining"></label><button>Send inn</button></form>
<p>Takk! <a href="/hjelp">Hjelp</a> <a href="${address.replaceAll('&', '&amp;')}">Attende til nettbutikken</a></p>`;

const tickingByScript = rewritten((html) =>
  html
    .replace(/(<input type="checkbox"[^>]*) checked>/g, '$1 data-granted>')
    .replace(
      /<\/body>|$/,
      "<script>for (const box of document.querySelectorAll('[data-granted]')) box.checked = true;</script>$&",
    ),
);

/** The box of an account on the page that asks for them, and what is sent when it is ticked. */
const accountBox =
  /<label class="choice"><input type="checkbox" name="accounts" value="([^"]*)"( checked)?>\s*<span>([\s\S]*?)<\/span><\/label>/g;

/** Accounts are chosen otherwise than by boxes; a field for each says what becomes of it. */
const choosing = (
  field: (id: string, isGranted: boolean, text: string) => string,
  denial: string,
): DesignChange => {
  const sent = ({ bytes }: BankRequest): Buffer => {
    const form = new URLSearchParams(bytes.toString('utf8'));
    for (const [name, value] of [...form])
      if (name.startsWith('tilgang-') && value !== denial)
        form.append('accounts', name.slice('tilgang-'.length));
    return Buffer.from(form.toString());
  };
  return allOf(
    onPages(
      (route) => (request, state) => route.handle(changedRequest(request, { bytes: sent(request) }), state),
    ),
    rewritten((html) =>
      html.replaceAll(accountBox, (_, id: string, checked: string | undefined, text: string) =>
        field(`tilgang-${id}`, checked !== undefined, text),
      ),
    ),
  );
};

const byButtons = choosing(
  (name, isGranted, text) =>
    `<p>${text}</p><label><input type="radio" name="${name}" value="ja"${isGranted ? ' checked' : ''}> Ja</label>
<label><input type="radio" name="${name}" value="nei"${isGranted ? '' : ' checked'}> Nei</label>`,
  'nei',
);

const byLists = choosing(
  (name, isGranted, text) =>
    `<p><label for="${name}">${text}</label> <select id="${name}" name="${name}"><option value="ingen">Ingen tilgang</option>
<option value="alt"${isGranted ? ' selected' : ''}>Saldo og transaksjoner</option></select></p>`,
  'ingen',
);

/** The way back to the TPP on a page of its own. */
const returning = (content: (address: string) => string): DesignChange =>
  onPages((route) => async (request, state) => {
    const answer = await route.handle(request, state);
    const location = answer.headers?.Location;
    return location === undefined || location.startsWith('/') ? answer : page(content(location));
  });

/** The way back in a header that browsers know and no standard has. */
const returningByHeader: DesignChange = onPages((route) => async (request, state) => {
  const answer = await route.handle(request, state);
  const { Location: location, ...headers } = answer.headers ?? {};
  if (location === undefined || location.startsWith('/')) return answer;
  return { ...page('<p>Et øyeblikk …</p>'), headers: { ...headers, Refresh: `0; url=${location}` } };
});

/** Biometric authentication in the app of the bank (TPP-Redirect-Preferred): there is no page to send the PSU to. */
const approvingByApp: DesignChange = withAnswering(({ finish }) => ({
  finish: async (answer, request) => {
    const finished = await finish(answer, request);
    const { body } = finished;
    if (finished.status !== 201 || request?.header('tpp-redirect-preferred') !== 'false') return finished;
    if (!isObject(body) || !isObject(body._links)) return finished;
    return { ...finished, body: { ...body, _links: linkless(body._links) } };
  },
}));

const relative = <Sent extends { readonly href: string }>(link: Sent): Sent => ({
  ...link,
  href: link.href.replace(/^\w+:\/\/[^/]+/, ''),
});

/** Links to SCA that count from the address of the request, in what was created and in what needs SCA first. */
const relativeScaLinks: DesignChange = allOf(
  withState(({ psus }) => ({
    psus: { ...psus, startSca: (...request) => relative(psus.startSca(...request)) },
  })),
  withAnswering(({ refusal: answerTo }) => ({
    refusal: (refusal) => {
      const { scaRedirect } = refusal.links ?? {};
      if (scaRedirect === undefined) return answerTo(refusal);
      return answerTo({ ...refusal, links: { ...refusal.links, scaRedirect: relative(scaRedirect) } });
    },
  })),
);

const pages: readonly Dialect[] = [
  independent('sca-links/relative', 'sends relative links to SCA', relativeScaLinks),
  independent(
    'sca-links/by-app',
    'asks for approval in its app, without a link, whom the TPP does not want to redirect',
    approvingByApp,
  ),
  dialect('pages/greeting', 'greets the PSU on a page of its own', greeted()),
  dialect(
    'pages/languages',
    'asks the PSU for a language on a page of its own, which cannot be cancelled',
    greeted(
      '<label>Språk <select name="sprak"><option value="nb">Norsk</option><option value="en" selected>English</option></select></label>',
    ),
  ),
  dialect('pages/greetings', 'greets the PSU on two pages with the same button', greetedTwice),
  dialect('pages/links', 'lets the PSU choose by a link how to log in', choosingByLink),
  dialect('pages/only-link', 'leads to its page by the only link of another, whatever it says', opened),
  dialect('pages/asked-again', 'asks the PSU who cancels whether they mean it', askedAgain),
  dialect(
    'pages/cancelled-later',
    'lets the PSU cancel behind the page that asks who they are',
    cancelledLater,
  ),
  dialect('pages/hop', 'leads from the link to its page by another redirect', hopping),
  dialect('pages/refresh', 'leads from the link to its page by a page that refreshes', refreshing),
  dialect('pages/reload', 'shows a page that waits, and is loaded again', reloading),
  dialect('pages/app', 'shows the same button until the PSU has approved in an app', pressedAgain),
  independent('pages-with/cookie', 'wants the cookie of its first page', withCookie),
  independent(
    'pages-with/own-forms',
    'takes forms only where Origin and Referer name its own pages',
    fromItsOwnPages,
  ),
  independent('pages-for/holders', 'lets nobody pass SCA who holds no accounts', forHoldersOnly),
  dialect('pages/once', 'opens a link once', once),
  dialect(
    'pages/one-at-a-time',
    'lets a PSU pass one SCA at a time: a newer one ends that before',
    oneAtATime,
  ),
  dialect('pages/newest-link', 'ends the older links of a PSU with a newer one', gone),
  dialect(
    'pages/newest-or-back',
    'ends the older links of a PSU with a newer one, and sends back who follows them',
    sentBack,
  ),
  independent(
    'pages-with/template',
    'keeps the form of another page in a template on every page',
    withTemplate,
  ),
  independent(
    'pages-with/dialogue',
    'asks on every page what it may store, in a form of that page',
    withDialogue,
  ),
  independent('pages-with/site', 'shows search, languages and cookies on every page', inSite),
  independent(
    'redirects/receipt',
    'shows the PSU a receipt that links back to the TPP',
    returning(
      (address) => `<p>Takk!</p><a href="${address.replaceAll('&', '&amp;')}">Tilbake til butikken</a>`,
    ),
  ),
  independent(
    'redirects/receipt-of-site',
    'shows the PSU a receipt in Nynorsk, with other links and a question',
    returning(receiptOfSite),
  ),
  independent(
    'redirects/form',
    'sends the PSU back by a form, above a search that leads elsewhere',
    returning(formBack),
  ),
  independent('redirects/refresh-header', 'sends the PSU back by the header Refresh', returningByHeader),
  dialect('accounts-page/buttons', 'asks yes or no for each account, by radio buttons', byButtons),
  dialect('accounts-page/lists', 'lets the PSU choose from a list what each account is granted', byLists),
  deciding(
    'accounts-page',
    dialect('pages/ticked-by-script', 'ticks the boxes of granted accounts by a script', tickingByScript),
  ),
  independent(
    'redirects/script',
    'sends the PSU back by the script of a page',
    returning((address) => `<script>window.location.replace(${JSON.stringify(address)})</script>`),
  ),
  independent(
    'redirects/button',
    'sends the PSU back when they press a button that is in no form',
    returning(
      (address) =>
        `<button type="button" onclick="window.location.href = '${address.replaceAll('&', '&amp;').replaceAll("'", '%27')}'">Lukk</button>`,
    ),
  ),
];

export const redirectDialects: readonly Dialect[] = [...redirects, ...pages, ...oldPageDialects];
