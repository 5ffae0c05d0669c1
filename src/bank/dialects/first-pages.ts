import { type DesignChange, onPages, withRoutes } from '../design/design-changes.ts';
import type { BankAnswer, BankRequest, Route } from '../design/route.ts';

export type Handle = Route['handle'];

export const onOpening = (handle: (open: Handle) => Handle): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET' ? { ...route, handle: handle(route.handle) } : route,
  );

const pathOf = ({ target }: BankRequest): string => target.split('?')[0] ?? '';

/** The same address with one parameter more: a link of the page behind it may have brought others. */
const addressWith = ({ target }: BankRequest, parameter: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${parameter}`;

export const page = (content: string): BankAnswer => ({
  status: 200,
  text: {
    type: 'text/html; charset=utf-8',
    content: `<!doctype html><html lang="nb"><title>Bank</title>${content}`,
  },
});

/** Before the page that asks who the PSU is comes one that only has a button, and perhaps a choice. */
export const greeted =
  (choice = ''): DesignChange =>
  (design) => {
    const greetedOnes = new Set<string>();
    const hello = (request: BankRequest): BankAnswer =>
      page(
        `<h1>Velkommen</h1><form method="get" action="${pathOf(request)}"><input type="hidden" name="lest" value="ja">${choice}<button type="submit">Fortsett</button><a href="${pathOf(request)}?lest=ja&amp;avbryt=1"></a></form>`,
      );
    return onOpening((open) => (request, state) => {
      const flow = request.params.flowId ?? '';
      if (request.query.get('lest') === 'ja') greetedOnes.add(flow);
      // Behind it a link of the next page may lose what this one has asked.
      return greetedOnes.has(flow) ? open(request, state) : hello(request);
    })(design);
  };

/** Two pages before the one that asks, which differ in what they say alone. */
export const greetedTwice: DesignChange = (design) => {
  const read = new Map<string, number>();
  const button = '<form method="get"><button type="submit" name="lest" value="ja">Fortsett</button></form>';
  return onOpening((open) => (request, state) => {
    const flow = request.params.flowId ?? '';
    const pages = (read.get(flow) ?? 0) + (request.query.has('lest') ? 1 : 0);
    read.set(flow, pages);
    if (pages > 1) return open(request, state);
    return page(`<h1>${pages === 0 ? 'Velkommen' : 'Vilkår for innsyn'}</h1>${button}`);
  })(design);
};

/** What stands on every page of a site beside what the page is about. */
export const site = `<header><form action="/sok"><input name="q" placeholder="Søk"><button>Søk</button></form>
<form action="/sprak" method="post"><select name="lang"><option>nb<option>en</select><button name="lang" value="en">Continue in English</button></form></header>
<aside><form action="/cookies" method="post"><input type="checkbox" name="alle"><button>Godta alle</button><button name="cancel" value="1">Avslå alle</button></form></aside>
<form action="/kundeservice" method="post"><textarea name="melding"></textarea><button>Send</button></form>`;

/** The PSU chooses how to log in by a link, below what stands on every page of the site. */
export const choosingByLink: DesignChange = onOpening(
  (open) => (request, state) =>
    request.query.has('bankid')
      ? open(request, state)
      : page(
          `${site}<h1>Hvordan vil du logge inn?</h1><p><a href="/hjelp">Hjelp</a></p><p><a href="${escaped(addressWith(request, 'bankid=mobil'))}">BankID på mobil</a></p>`,
        ),
);

/** The only link of a page leads on, whatever it says; who follows it not is sent away after minutes. */
export const opened: DesignChange = onOpening(
  (open) => (request, state) =>
    request.query.has('inn')
      ? open(request, state)
      : page(
          `<meta http-equiv="refresh" content="300; url=/tidsavbrudd"><h1>Velkommen</h1><a href="${escaped(addressWith(request, 'inn=1'))}">Åpne nettbanken</a>`,
        ),
);

/** Who cancels is asked once more, and may go back. */
export const askedAgain: DesignChange = onPages((route) => (request, state) => {
  const form = [...new URLSearchParams(request.bytes.toString('utf8'))];
  const isSure = form.some(([name]) => name === 'sikker');
  if (isSure || !form.some(([name, value]) => name === 'action' && value === 'cancel'))
    return route.handle(request, state);
  const fields = form.map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return page(
    `<h1>Vil du avbryte?</h1><form action="${pathOf(request)}"><button>Nei, tilbake</button></form>
<form method="post" action="${pathOf(request)}">${fields.join('')}<button name="sikker" value="ja">Ja</button></form>`,
  );
});

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const hopping: DesignChange = onOpening(
  (open) => (request, state) =>
    request.query.has('klar')
      ? open(request, state)
      : { status: 302, headers: { Location: addressWith(request, 'klar=1') } },
);

export const refreshing: DesignChange = onOpening(
  (open) => (request, state) =>
    request.query.has('klar')
      ? open(request, state)
      : page(
          `<meta http-equiv="refresh" content="0; url=${escaped(addressWith(request, 'klar=1'))}"><p>Et øyeblikk …</p>`,
        ),
);

/** As one does that waits for an app of the PSU, without a word on where to go. */
export const reloading: DesignChange = (design) => {
  const seen = new Set<string>();
  return onOpening((open) => (request, state) => {
    const flow = request.params.flowId ?? '';
    if (seen.has(flow)) return open(request, state);
    seen.add(flow);
    return page('<meta http-equiv="refresh" content="1"><p>Venter på BankID …</p>');
  })(design);
};

/** As one does that cannot tell whether the PSU has approved in an app, and lets them press until they have. */
export const pressedAgain: DesignChange = (design) => {
  const presses = new Map<string, number>();
  return onOpening((open) => (request, state) => {
    const flow = request.params.flowId ?? '';
    const count = (presses.get(flow) ?? 0) + (request.query.has('gang') ? 1 : 0);
    presses.set(flow, count);
    if (count > 1) return open(request, state);
    return page(
      `<h1>Bekreft i BankID-appen</h1><form method="get"><input type="hidden" name="gang" value="${count}"><button type="submit">Fortsett</button></form>`,
    );
  })(design);
};
