import { isObject } from '../../spec/json.ts';
import { changedRequest } from '../design/changed-request.ts';
import { allOf, type DesignChange, onPages, withAnswers, withRoutes } from '../design/design-changes.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import {
  alsoDeciding,
  type Dialect,
  deciding,
  declaring,
  dialect,
  hiding,
  numbersOfCustomers,
} from './dialect.ts';

type Pairs = readonly (readonly [name: string, value: string])[];
type PageText = NonNullable<BankAnswer['text']>;

/** How the pages are written, and how their forms come back: what cannot be read that way is refused. */
const written = (
  write: (page: PageText) => PageText,
  read: (request: BankRequest) => Pairs | undefined,
): DesignChange =>
  withRoutes((route) => {
    if (route.operation !== 'page') return route;
    const isForm = route.method === 'POST';
    return {
      ...route,
      handle: async (request, state) => {
        const pairs = isForm ? read(request) : [];
        if (pairs === undefined) return unreadable;
        const bytes = isForm ? asUsual(pairs) : request.bytes;
        const answer = await route.handle(changedRequest(request, { bytes }), state);
        const { text } = answer;
        return text?.type.startsWith('text/html') ? { ...answer, text: write(text) } : answer;
      },
    };
  });

const unreadable: BankAnswer = {
  status: 400,
  text: { type: 'text/html; charset=utf-8', content: '<!doctype html><title>Bank</title><h1>Uleselig</h1>' },
};

const asUsual = (pairs: Pairs): Buffer =>
  Buffer.from(new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString());

/** A field that nobody sees. It comes back right only in the letters of the page. */
const hidden = ['målform', 'bokmål'] as const;

/** Letters that ISO 8859-1 lacks are written as their numbers. */
const inLatin = ({ content }: PageText): PageText => ({
  type: 'text/html; charset=ISO-8859-1',
  letters: 'latin1',
  content: content
    .replace('charset="utf-8"', 'charset="ISO-8859-1"')
    .replaceAll('</form>', `<input type="hidden" name="${hidden[0]}" value="${hidden[1]}"></form>`)
    .replaceAll(/[^\0-\u00ff]/gu, (letter) => `&#${letter.codePointAt(0)};`),
});

function latinForm({ bytes }: BankRequest): Pairs | undefined {
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .map((pair): readonly [string, string] => {
      const [name = '', value = ''] = pair.split('=', 2).map(latinText);
      return [name, value];
    });
  const isReadable = pairs.some(([name, value]) => name === hidden[0] && value === hidden[1]);
  return isReadable ? pairs.filter(([name]) => name !== hidden[0]) : undefined;
}

const latinText = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

const inParts = (page: PageText): PageText => ({
  ...page,
  content: page.content.replaceAll('<form method="post"', '$& enctype="multipart/form-data"'),
});

/** RFC 7578. */
function partsOf(request: BankRequest): Pairs | undefined {
  const boundary = /^multipart\/form-data; ?boundary="?([^"]+)"?$/i.exec(
    request.header('content-type') ?? '',
  )?.[1];
  if (boundary === undefined) return undefined;
  const parts = request.bytes.toString('utf8').split(`--${boundary}`).slice(1, -1);
  return parts.map((part): readonly [string, string] => {
    const end = part.indexOf('\r\n\r\n');
    return [/name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '', part.slice(end + 4, -2)];
  });
}

/** A PSU whom the request has named is not asked who they are: the bank has an app on their phone, perhaps. */
const knowingThePsu: DesignChange = withRoutes((route) => {
  if (route.operation !== 'page') return route;
  return {
    ...route,
    handle: async (request, state) => {
      const number = state.flows.find(request.params.flowId ?? '')?.customerNumber;
      if (number === undefined) return route.handle(request, state);
      const form = new URLSearchParams(request.bytes.toString('utf8'));
      form.set('nationalId', number);
      const answer = await route.handle(
        changedRequest(request, { bytes: Buffer.from(form.toString()) }),
        state,
      );
      const { text } = answer;
      if (text === undefined) return answer;
      return { ...answer, text: { ...text, content: text.content.replace(numberField, '') } };
    },
  };
});

/** Whoever does not want to approve closes the page. */
const withoutCancelling: DesignChange = written(
  (page) => ({ ...page, content: page.content.replace(cancelButton, '') }),
  ({ bytes }) => [...new URLSearchParams(bytes.toString('utf8'))],
);

const cancelButton = /<button[^>]* value="cancel"[^>]*>[^<]*<\/button>/;

const notCancelled = ['OWN-03', 'RDF-01', 'RDF-02', 'RDF-03', 'RDF-04', 'RDF-05', 'SES-04'].map((what) => ({
  what,
  reason: 'the pages have no way to cancel, and ask nobody who they are',
}));

const numberField = /<div class="field">\s*<label[^>]* for="nationalId">[\s\S]*?<\/div>/;

/** Most are private persons: a company is one box to tick. */
const withCompanyBox: DesignChange = written(
  (page) => ({ ...page, content: page.content.replace(contextButtons, companyBox) }),
  ({ bytes }) => {
    const pairs = [...new URLSearchParams(bytes.toString('utf8'))];
    const names = pairs.map(([name]) => name);
    return names.includes('nationalId') && !names.includes('context')
      ? [...pairs, ['context', 'PRIVATE']]
      : pairs;
  },
);

const contextButtons = /<fieldset[^>]*>(?:(?!<\/fieldset>)[\s\S])*name="context"[\s\S]*?<\/fieldset>/;
const companyBox =
  '<label><input type="checkbox" name="context" value="CORPORATE"> Jeg representerer en bedrift</label>';

/** What only a program fills in. */
const trap = 'epost';
const trapField = `<div aria-hidden="true"><label for="${trap}">E-post</label><input type="text" id="${trap}" name="${trap}" tabindex="-1"></div>`;

const withTrap: DesignChange = written(
  (page) => ({ ...page, content: page.content.replaceAll('<div class="actions">', `${trapField}$&`) }),
  ({ bytes }) => {
    const pairs = [...new URLSearchParams(bytes.toString('utf8'))];
    return pairs.some(([name, value]) => name === trap && value !== '') ? undefined : pairs;
  },
);

/** The number of a person is their day of birth and five digits more, and many pages ask for it so. */
const birthDigits = 6;
const furtherDigits = 5;
const numberParts = `<label for="dato">Fødselsdato</label><input type="text" id="dato" name="dato" maxlength="${birthDigits}">
<label for="nummer">Personnummer</label><input type="text" id="nummer" name="nummer" maxlength="${furtherDigits}">`;

const inTwoParts: DesignChange = written(
  (page) => ({ ...page, content: page.content.replace(numberField, numberParts) }),
  ({ bytes }) => {
    const form = new URLSearchParams(bytes.toString('utf8'));
    const [birth, further] = [form.get('dato') ?? '', form.get('nummer') ?? ''];
    if (birth.length > birthDigits || further.length > furtherDigits) return undefined;
    return form.has('dato') ? [...form, ['nationalId', birth + further]] : [...form];
  },
);

const accountBoxes =
  /(?:<label class="choice"><input type="checkbox" name="accounts" value="[^"]*"(?: checked)?>\s*<span>[\s\S]*?<\/span><\/label>\s*)+/;

/** All accounts in one list, of which several can be chosen. */
const inOneList: DesignChange = written(
  (page) => ({
    ...page,
    content: page.content.replace(accountBoxes, (boxes) => {
      const options = boxes.replaceAll(
        /<label[^>]*><input[^>]* value="([^"]*)"( checked)?>\s*<span>([\s\S]*?)<\/span><\/label>/g,
        (_, id: string, checked: string | undefined, text: string) =>
          `<option value="${id}"${checked === undefined ? '' : ' selected'}>${text.replaceAll(/<[^>]*>/g, ' ')}</option>`,
      );
      return `<label>Kontoer <select name="accounts" multiple>${options}</select></label>`;
    }),
  }),
  ({ bytes }) => [...new URLSearchParams(bytes.toString('utf8'))],
);

const approvingButtons =
  /<button[^>]* value="continue">(?:Approve|Confirm)<\/button>\s*<button[^>]* value="cancel"[^>]*>Cancel<\/button>/;

/** Yes and no stand in a list, and the only button sends it. */
const answeredInList: DesignChange = written(
  (page) => ({
    ...page,
    content: page.content.replace(
      approvingButtons,
      '<label>Answer <select name="action"><option>–</option><option value="cancel">Decline</option><option value="continue">Approve</option></select></label><button type="submit">Send</button>',
    ),
  }),
  ({ bytes }) => {
    const form = new URLSearchParams(bytes.toString('utf8'));
    return form.get('action') === '–' ? undefined : [...form];
  },
);

/** A sandbox may list its people on the page; who was just created holds nothing yet, and is not among them. */
const choosingWho: DesignChange = withRoutes((route) => {
  if (route.operation !== 'page') return route;
  return {
    ...route,
    handle: async (request, state) => {
      const { list, accountsOf, agreementsOf } = state.customers;
      const holders = list().filter(({ customerNumber }) =>
        [accountsOf(customerNumber), agreementsOf(customerNumber)].some(({ length }) => length > 0),
      );
      const options = holders.map(
        ({ customerNumber }, place) => `<option value="${customerNumber}">Testperson ${place + 1}</option>`,
      );
      const field = `<label for="nationalId">Hvem er du?</label><select id="nationalId" name="nationalId"><option value="">Velg</option>${options.join('')}</select>`;
      const answer = await route.handle(request, state);
      const { text } = answer;
      if (text === undefined) return answer;
      return { ...answer, text: { ...text, content: text.content.replace(numberField, field) } };
    },
  };
});

/** Some of them show people as links, next to one that cancels, and ask for nothing more. */
const choosingWhoByLink: DesignChange = withRoutes((route) => {
  if (route.operation !== 'page' || route.method !== 'GET') return route;
  return {
    ...route,
    handle: async (request, state) => {
      const answer = await route.handle(request, state);
      const { text } = answer;
      if (text === undefined || !numberField.test(text.content)) return answer;
      const chosen = request.query.get('hvem');
      const here = (who: string): string => {
        const query = new URLSearchParams(request.query);
        query.set('hvem', who);
        return escaped(`?${query}`);
      };
      const links = state.customers
        .list()
        .map(
          ({ customerNumber, customerName }) =>
            `<li><a href="${here(customerNumber)}">${escaped(customerName)}, ${customerNumber}</a></li>`,
        );
      const cancelling = text.content.includes('value="cancel"') ? `<a href="${here('')}">Avbryt</a>` : '';
      const content =
        chosen === null
          ? text.content.replace(/<form[\s\S]*<\/form>/, `<ul>${links.join('')}</ul>${cancelling}`)
          : text.content.replace(
              numberField,
              `<input type="hidden" name="nationalId" value="${chosen.replaceAll(/\D/g, '')}">`,
            );
      return { ...answer, text: { ...text, content } };
    },
  };
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const cardAccountNumber = '95379100105';

/** How the pages name a card, which they know by its masked number. */
const callingCards = (words: string): DesignChange =>
  onPages((route) => async (request, state) => {
    const answer = await route.handle(request, state);
    const { text } = answer;
    if (text === undefined) return answer;
    const content = text.content.replaceAll(/\d{6}\*{6}\d{4}/g, words);
    return { ...answer, text: { ...text, content } };
  });

/** A credit card has an account, whose number is like those of other accounts; it is listed among the card accounts. */
const cardsByNumber: DesignChange = allOf(
  callingCards(cardAccountNumber),
  withAnswers(['listCardAccounts'], (answer) => {
    const { cardAccounts } = isObject(answer.body) ? answer.body : {};
    return Array.isArray(cardAccounts)
      ? {
          ...answer,
          body: {
            cardAccounts: cardAccounts.map((card) => ({ ...card, accountNumber: cardAccountNumber })),
          },
        }
      : answer;
  }),
);

/** None of them goes with another that looks into a form, as those that ask for accounts in their own way do. */
export const formDialects: readonly Dialect[] = [
  dialect(
    'forms/older-letters',
    'writes its pages in ISO 8859-1, and reads forms in it',
    written(inLatin, latinForm),
  ),
  dialect('forms/parts', 'has its forms sent as multipart/form-data', written(inParts, partsOf)),
  dialect('forms/company-box', 'asks by a box whether the PSU acts for a company', withCompanyBox),
  dialect('forms/trap', 'has a field that nobody sees, for programs to fill in', withTrap),
  alsoDeciding(
    numbersOfCustomers,
    dialect('forms/number-in-parts', 'asks for the day of birth and the rest of the number', inTwoParts),
  ),
  dialect('forms/answer-in-list', 'has the PSU approve or decline by a list', answeredInList),
  dialect('forms/one-list', 'lets the PSU choose several accounts from one list', inOneList),
  dialect('forms/card-numbers', 'calls a card by the number of its account', cardsByNumber),
  dialect(
    'forms/card-and-account',
    'calls a card by its own number and that of its account, which no listing tells',
    callingCards(`$& (konto ${cardAccountNumber})`),
  ),
  dialect(
    'forms/card-numbers-untold',
    'calls a card by the number of its account alone, which no listing tells',
    callingCards(cardAccountNumber),
  ),
  dialect('forms/people', 'has people choose from a list who they are', choosingWho),
  dialect('forms/people-as-links', 'has people choose by a link who they are', choosingWhoByLink),
  dialect('pages/known-psu', 'asks nobody who they are whom the request has named', knowingThePsu),
  declaring(
    { notOffered: notCancelled },
    hiding(
      dialect(
        'pages/approve-only',
        'shows a PSU whom the request has named nothing but what they approve, without a way to cancel',
        knowingThePsu,
        withoutCancelling,
      ),
    ),
  ),
].map((each) => deciding('accounts-page', each));
