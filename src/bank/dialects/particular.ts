import { memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { creations, products } from '../../spec/products.ts';
import { type DesignChange, serves, withAnswers, withRules } from '../design/design-changes.ts';
import type { BankRequest, BankState, Rule } from '../design/route.ts';
import { alsoDeciding, type Dialect, deciding, hiding, independent } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

const freeTexts = [
  'creditorName',
  'ultimateDebtor',
  'remittanceInformationUnstructured',
  'regulatoryReportingInformation',
];

const someText = ({ body }: BankRequest, isRefused: (text: string) => boolean): boolean =>
  freeTexts.some((name) => isRefused(textAt(body, name) ?? 'none'));

/** Some codes of the Norwegian post, and the cities that they belong to. */
const cities: Readonly<Record<string, string>> = {
  '0152': 'OSLO',
  '5003': 'BERGEN',
  '7010': 'TRONDHEIM',
  '9008': 'TROMSØ',
  '4006': 'STAVANGER',
};

/** And Great Britain, whose accounts are reached in the same way. */
const economicArea: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

function isMisplaced({ body }: BankRequest): boolean {
  const city = textAt(body, 'creditorAddress', 'city')?.toUpperCase();
  const known = cities[textAt(body, 'creditorAddress', 'postalCode') ?? ''];
  return city !== undefined && known !== undefined && city !== known;
}

/** An invoice is paid once, whatever it costs: which payments are alike is not said. */
const payingReferencesOnce =
  (again: {
    readonly status: number;
    readonly code: 'CONFLICT' | 'KID_INVALID';
    readonly isFinal: boolean;
  }): DesignChange =>
  (design) => {
    const paid = new Set<string>();
    const invoiceIn = ({ body }: BankRequest): string | undefined => {
      const references =
        memberAt(body, 'remittanceInformationStructuredArray') ??
        memberAt(body, 'remittanceInformationStructured');
      return references === undefined
        ? undefined
        : `${textAt(body, 'creditorAccount', 'bban')} ${JSON.stringify(references)}`;
    };
    const refuse = alsoRefusing(
      creations,
      (request) =>
        (again.isFinal || request.query.get('allowLogicalDuplicate') !== 'true') &&
        paid.has(invoiceIn(request) ?? ''),
      { status: again.status, code: again.code },
    );
    const remember = withAnswers(creations, (answer, request) => {
      const invoice = invoiceIn(request);
      if (answer.status === 201 && invoice !== undefined) paid.add(invoice);
      return answer;
    });
    return remember(refuse(design));
  };

/** Which payments a session can sign is not said either: here those that were created in it, before anything else is asked. */
const signsWhatTheSessionCreated: DesignChange = (design) => {
  const sessions = new Map<string, string>();
  const remember = withAnswers(creations, (answer, request) => {
    const id = textAt(answer.body, 'paymentId');
    if (id !== undefined) sessions.set(id, request.header('tpp-session-id') ?? '');
    return answer;
  });
  const isOfAnother = (request: BankRequest): boolean => {
    const ids = memberAt(request.body, 'paymentIds');
    return (
      Array.isArray(ids) &&
      ids.some((id) => ![undefined, request.header('tpp-session-id')].includes(sessions.get(String(id))))
    );
  };
  const refusal = {
    status: 404,
    code: 'RESOURCE_UNKNOWN',
    text: 'The payment is none of this session.',
  } as const;
  const first: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    name: 'payments are signed in the session that created them',
    refuses: (request) => (isOfAnother(request) ? refusal : undefined),
  };
  const refuse = withRules((operation, rules) => {
    const sca = rules.findIndex((rule) => serves(rule, 'SES-02'));
    return operation === 'createSigningBasket' ? rules.toSpliced(sca, 0, first) : rules;
  });
  return remember(refuse(design));
};

/** Transitions are not shown: here a payment that lacked funds is tried again once it is in a basket to be signed. */
const takesUpUnfunded: DesignChange = (design) => {
  const takenUp = new Set<unknown>();
  const remember = withAnswers(['createSigningBasket'], (answer, { body }) => {
    const ids = memberAt(body, 'paymentIds');
    if (answer.status === 201 && Array.isArray(ids)) for (const id of ids) takenUp.add(id);
    return answer;
  });
  const tell = withAnswers(['readPaymentStatus', 'readPayment'], (answer, { params }) =>
    takenUp.has(params.paymentId) && memberAt(answer.body, 'fundsAvailable') === false
      ? { ...answer, body: { ...(answer.body as object), transactionStatus: 'RCVD', fundsAvailable: true } }
      : answer,
  );
  const isUnfunded = ({ body }: BankRequest, { payments }: BankState): boolean => {
    const ids = memberAt(body, 'paymentIds');
    return (
      Array.isArray(ids) &&
      ids.length > 0 &&
      ids.every((id) => payments.get(String(id))?.fundsAvailable === false)
    );
  };
  const take = withRules((operation, rules) =>
    operation !== 'createSigningBasket'
      ? rules
      : rules.map((rule) =>
          serves(rule, 'BSK-25')
            ? {
                ...rule,
                refuses: (request, state) =>
                  isUnfunded(request, state) ? undefined : rule.refuses(request, state),
              }
            : rule,
        ),
  );
  return tell(remember(take(design)));
};

/** Which payments go together in a basket is not said: here those that are executed on one day. */
const isOfSeveralDays = ({ body }: BankRequest, { payments }: BankState): boolean => {
  const ids = memberAt(body, 'paymentIds');
  const days = (Array.isArray(ids) ? ids : []).map((id) =>
    textAt(payments.get(String(id))?.body, 'requestedExecutionDate'),
  );
  return new Set(days).size > 1;
};

const amountIn = ({ body }: BankRequest): number => Number(textAt(body, 'instructedAmount', 'amount'));

/** Roughly: no rate is given for the limit (Limits). */
const kronerIn: Readonly<Record<string, number>> = {
  NOK: 1,
  EUR: 11.5,
  USD: 10.5,
  GBP: 13.5,
  SEK: 1,
  DKK: 1.5,
};

/** The currencies of which the bank knows how much less than the limit is. */
const isNeedlesslyReported = (request: BankRequest, currencies: readonly string[]): boolean =>
  currencies.includes(textAt(request.body, 'instructedAmount', 'currency') ?? '') &&
  amountIn(request) * 100 * (kronerIn[textAt(request.body, 'instructedAmount', 'currency') ?? ''] ?? 1) <
    limits.regulatoryReportingFromOere &&
  ['regulatoryReportingCode', 'regulatoryReportingInformation'].some(
    (name) => memberAt(request.body, name) !== undefined,
  );

/** The country of the bank, by its BIC, and that of the account. */
const isHeldElsewhere = ({ body }: BankRequest): boolean => {
  const agent = textAt(body, 'creditorAgent');
  const iban = textAt(body, 'creditorAccount', 'iban');
  return agent !== undefined && iban !== undefined && agent.slice(4, 6) !== iban.slice(0, 2);
};

/** The country of the payee, and that of the account or of its bank. */
const livesElsewhere = ({ body }: BankRequest): boolean => {
  const country = textAt(body, 'creditorAddress', 'country');
  const held = textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAgent')?.slice(4, 6);
  return country !== undefined && held !== undefined && held.slice(0, 2) !== country;
};

/** What banks are particular about in ordinary values, beyond all that the specification demands. */
/** What makes a payment the logical duplicate of another is not said. */
const takingSumsOnce: DesignChange = (design) => {
  const taken = new Set<string>();
  const isTaken = ({ body, query }: BankRequest): boolean => {
    const account = textAt(body, 'debtorAccount', 'bban') ?? textAt(body, 'debtorAccount', 'iban');
    const sum = JSON.stringify([account, memberAt(body, 'instructedAmount')]);
    const isNew = taken.size < taken.add(sum).size;
    return !isNew && query.get('allowLogicalDuplicate') !== 'true';
  };
  return alsoRefusing(creations, isTaken, { status: 409, code: 'CONFLICT' })(design);
};

export const particularDialects: readonly Dialect[] = [
  independent(
    'particular/places',
    'knows which city a Norwegian postal code belongs to',
    alsoRefusing([products.domestic.creation], isMisplaced),
  ),
  independent(
    'particular/short-texts',
    'takes no names and messages of one or two letters',
    alsoRefusing(creations, (request) => someText(request, (text) => text.trim().length < 3)),
  ),
  independent(
    'particular/readable-texts',
    'takes no name that nobody can pronounce, no purpose that is shorter than a word, and no signs in a row',
    alsoRefusing(
      creations,
      (request) =>
        !/[aeiouyæøå]/i.test(textAt(request.body, 'creditorName') ?? 'a') ||
        (textAt(request.body, 'regulatoryReportingInformation') ?? 'goods').trim().length < 5 ||
        someText(request, (text) => /[.,()/-]{2}/.test(text)),
    ),
  ),
  independent(
    'particular/names',
    'takes no digits and brackets in the names of people and companies',
    alsoRefusing(creations, ({ body }) =>
      ['creditorName', 'ultimateDebtor'].some((name) => /[\d()/,]/.test(textAt(body, name) ?? '')),
    ),
  ),
  independent(
    'particular/signs',
    'cannot process quotation marks, ampersands and the like',
    alsoRefusing(creations, (request) => someText(request, (text) => /["'`&<>{}\\$#%*=@^~|_]/.test(text))),
  ),
  deciding(
    'letters',
    hiding(
      independent(
        'particular/letters-of-names',
        'can process no letter outside ASCII in the name of a payee',
        alsoRefusing(creations, ({ body }) => /[^\p{ASCII}]/u.test(textAt(body, 'creditorName') ?? '')),
      ),
    ),
  ),
  independent(
    'particular/ip-addresses',
    'refuses addresses in PSU-IP-Address at which no customer can be',
    alsoRefusing([...creations, 'createSigningBasket'], (request) =>
      /^(?:10|127|192\.168|192\.0\.2|198\.51\.100|203\.0\.113)\.|^(?:2001:0?db8|fe80|::1$)/i.test(
        request.header('psu-ip-address') ?? '',
      ),
    ),
  ),
  independent(
    'particular/ipv4',
    'wants PSU-IP-Address to be an IPv4 address, as the framework has it',
    alsoRefusing([...creations, 'createSigningBasket'], (request) =>
      (request.header('psu-ip-address') ?? '').includes(':'),
    ),
  ),
  independent(
    'particular/sessions-of-baskets',
    'signs a payment in the session that created it only',
    signsWhatTheSessionCreated,
  ),
  independent(
    'particular/days-of-baskets',
    'takes payments of one day into a basket',
    alsoRefusing(['createSigningBasket'], isOfSeveralDays),
  ),
  independent(
    'particular/small-amounts',
    'transfers no less than ten units of a currency',
    alsoRefusing(creations, (request) => amountIn(request) < 10),
  ),
  independent(
    'particular/white-space',
    'takes no white space in texts but single spaces between words',
    alsoRefusing(creations, (request) => someText(request, (text) => /^\s|\s\s|[^\S ]|\s$/.test(text))),
  ),
  independent(
    'particular/needless-reporting',
    'takes regulatory fields only with the transfers that need them',
    alsoRefusing([products.crossBorder.creation], (request) => isNeedlesslyReported(request, ['NOK'])),
  ),
  independent(
    'particular/needless-reporting-at-its-rates',
    'takes regulatory fields only with the transfers that need them, by the rates of the day',
    alsoRefusing([products.crossBorder.creation], (request) =>
      isNeedlesslyReported(request, Object.keys(kronerIn)),
    ),
  ),
  independent(
    'particular/agents',
    'pays an IBAN only at a bank of its country',
    alsoRefusing([products.crossBorder.creation], isHeldElsewhere),
  ),
  independent(
    'particular/residents',
    'pays an account abroad only where the payee lives in its country',
    alsoRefusing([products.crossBorder.creation], livesElsewhere),
  ),
  independent(
    'particular/brands',
    'takes letters, digits, dots and hyphens in TPP-Brand-Logging-Information only, which it shows to the PSU',
    alsoRefusing(creations, (request) =>
      /[^\p{L}\d .-]/u.test(request.header('tpp-brand-logging-information') ?? ''),
    ),
  ),
  independent(
    'particular/agents-far-away',
    'wants to know the bank of an account outside the European Economic Area, also where the account has an IBAN',
    alsoRefusing(
      [products.crossBorder.creation],
      ({ body }) =>
        textAt(body, 'creditorAgent') === undefined &&
        !economicArea.has(textAt(body, 'creditorAccount', 'iban')?.slice(0, 2) ?? 'SE'),
    ),
  ),
  independent(
    'particular/abroad',
    'transfers nothing across the border to an account or an address in Norway',
    alsoRefusing(
      [products.crossBorder.creation],
      ({ body }) =>
        textAt(body, 'creditorAddress', 'country') === 'NO' ||
        textAt(body, 'creditorAccount', 'iban')?.startsWith('NO') === true,
    ),
  ),
  independent(
    'particular/own-account',
    'transfers nothing from an account to itself',
    alsoRefusing(creations, ({ body }) =>
      ['bban', 'iban'].some((form) => {
        const number = textAt(body, 'debtorAccount', form);
        return number !== undefined && number === textAt(body, 'creditorAccount', form);
      }),
    ),
  ),
  independent(
    'particular/unfunded-again',
    'takes a payment up again that lacked funds, once it is in a basket',
    takesUpUnfunded,
  ),
  deciding(
    'duplicates',
    independent(
      'particular/sums-once',
      'takes a payment of the same sum from the same account for a duplicate, whoever it goes to',
      takingSumsOnce,
    ),
  ),
  deciding(
    'duplicates',
    independent(
      'particular/references-once',
      'takes a reference of a creditor once',
      payingReferencesOnce({ status: 409, code: 'CONFLICT', isFinal: false }),
    ),
  ),
  alsoDeciding(
    'letters',
    deciding(
      'duplicates',
      independent(
        'particular/pictures-once',
        'takes a reference of a creditor once, whatever characters it has',
        payingReferencesOnce({ status: 409, code: 'CONFLICT', isFinal: false }),
        (design) => ({ ...design, isProcessable: () => true }),
      ),
    ),
  ),
  deciding(
    'duplicates',
    independent(
      'particular/invoices-once',
      'knows no invoice any more that was paid, so that its KID is wrong, whatever duplicates are allowed',
      payingReferencesOnce({ status: 400, code: 'KID_INVALID', isFinal: true }),
    ),
  ),
];
