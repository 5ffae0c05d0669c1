import { isBankingDay, nextBankingHour, osloDate, osloHour } from '../../spec/banking-days.ts';
import { remittanceFields } from '../../spec/bodies/domestic-payment.ts';
import { requirementById } from '../../spec/catalogue.ts';
import { isBic } from '../../spec/check-digits.ts';
import { acceptFixes } from '../../spec/code-lists.ts';
import { sanctionedCountries, sanctionedCurrencies } from '../../spec/countries.ts';
import { unitsWorth } from '../../spec/currencies.ts';
import { dayMs } from '../../spec/days.ts';
import type { Field } from '../../spec/field.ts';
import { isObject, memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { type OperationName, operations } from '../../spec/operations.ts';
import {
  createdBy,
  creations,
  everyProduct,
  initiations,
  type Product,
  type ProductName,
  products,
} from '../../spec/products.ts';
import {
  allOf,
  alsoRefusing,
  asking,
  before,
  byChoice,
  comingAgain,
  type DesignChange,
  differing,
  perBank,
  rememberingCreated,
  serves,
  withAnswers,
  withEveryAnswerText,
  withLimits,
  withoutRules,
  withRoutes,
  withVerdicts,
} from '../design/design-changes.ts';
import { verifiedByItsName } from '../design/other-signatures.ts';
import type { RefusalAnswer } from '../design/refusal-kinds.ts';
import {
  agentIn,
  amountIn,
  both,
  type Condition,
  countryIn,
  creditorIn,
  currencyIn,
  dateIn,
  dayIn,
  either,
  ibanIn,
  idsInBasket,
  inBody,
  inHeader,
  inQuery,
  not,
  withParam,
} from '../design/requests.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import { isValidByModulus10, kidAccount } from '../rules/kid-rules.ts';
import { isBban, isIban } from '../state/check-digits.ts';
import {
  type Declared,
  declaring,
  hidesOthers,
  itself,
  lacking,
  type Row,
  rows,
  topic,
  under,
  whereScaBegins,
} from './dialect.ts';

const everything: readonly BankOperation[] = [...initiations, 'listSandboxCustomers'];
const everyOperation = Object.keys(operations) as readonly OperationName[];

type Answered = readonly [status?: number, code?: RefusalAnswer['code']];
const refusingAt =
  (...where: readonly BankOperation[]) =>
  (isRefused: Condition, ...answered: Answered) =>
    alsoRefusing(where, isRefused, ...answered);
const atCreation = refusingAt(...creations);
const atHome = refusingAt(products.domestic.creation);
const abroad = refusingAt(products.crossBorder.creation);
const atInitiation = refusingAt(...initiations);
const anywhere = refusingAt(...everything);
const inBaskets = refusingAt('createSigningBasket');

const allowsDuplicates = inQuery('allowLogicalDuplicate', 'true');
const paidCurrencies = ['instructedAmount', 'creditorAccount'];

function hasWrongCheckDigits(request: BankRequest): boolean {
  const isAtHome = request.operation === products.domestic.creation;
  const agent = agentIn(request);
  const isWrong = (name: string): boolean => {
    const [bban, iban] = ['bban', 'iban'].map((form) => textAt(request.body, name, form));
    const isNorwegian = isAtHome || name === 'debtorAccount' || /^\d{11}$/.test(bban ?? '');
    return (isNorwegian && bban !== undefined && !isBban(bban)) || (iban !== undefined && !isIban(iban));
  };
  return ['debtorAccount', 'creditorAccount'].some(isWrong) || (agent !== undefined && !isBic(agent));
}

function hasUnknownMembers(value: unknown, fields: readonly Field[]): boolean {
  if (Array.isArray(value)) return value.some((element) => hasUnknownMembers(element, fields));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const inner = field?.fields ?? field?.items?.fields;
    return field === undefined || (inner !== undefined && hasUnknownMembers(member, inner));
  });
}

const refusesUnknownMembers: DesignChange = (design) =>
  atInitiation(({ operation, body }) =>
    hasUnknownMembers(body, design.bodies[createdBy(operation)?.body ?? 'basketRequest'].fields),
  )(design);

/** By rates of its own: less than a third of what is certainly worth NOK 100 000. */
const isBelowWhatIsMeant = (request: BankRequest) =>
  currencyIn(request) === 'NOK'
    ? amountIn(request) * 100 < products.crossBorder.meantFromOere
    : amountIn(request) < unitsWorth(10_000, currencyIn(request) ?? '');

const inCurrencies =
  (isTaken: (currency: string | undefined) => boolean): Condition =>
  (request) =>
    paidCurrencies.some((name) => !isTaken(currencyIn(request, name)));
const dealtIn = /^(?:NOK|EUR|USD|SEK|DKK|GBP)$/;

const inOneOfTheirCurrencies = atCreation((request) =>
  ['creditorAccount', 'debtorAccount'].every((name) => currencyIn(request, name) !== currencyIn(request)),
);

const isAscii = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text);
const canProcess = (isProcessable: (text: string) => boolean) => differing({ isProcessable });

const isFix = (value: string): boolean => acceptFixes.some((known) => known.value === value.trim());

// biome-ignore format: a table
export const strictDialects = rows(
  ['strict/check-digits', 'refuses account numbers and BICs whose check digits or form are wrong', itself, atCreation(hasWrongCheckDigits)],
  ['strict/duplicates', 'refuses the like of an earlier payment unless duplicates are allowed', 'duplicates', differing({ refusesDuplicates: not(allowsDuplicates) })],
  ['strict/unknown-members', 'refuses members that no table has', itself, refusesUnknownMembers],
  ['strict/weekdays', 'executes payments on weekdays only', itself,
    atCreation((request) => [0, 6].includes(new Date(dayIn(request)).getUTCDay()), 422, 'EXECUTION_DATE_INVALID')],
  ['strict/within-a-year', 'executes payments within a year', itself, atCreation((request, { clock }) => dayIn(request) > clock.now().getTime() + 365 * dayMs)],
  ['strict/remittance-pairs', 'takes one form of remittance information at a time', itself,
    atCreation(({ body }) => remittanceFields.filter((name) => memberAt(body, name) !== undefined).length > 1)],
  ['strict/zero', 'refuses an amount of zero', itself, atCreation((request) => amountIn(request) === 0)],
  ['strict/great-amounts', 'refuses amounts of a million and more', 'amounts', atCreation((request) => amountIn(request) >= 1e6)],
  ['strict/kid', 'takes KIDs by modulus 10 only', itself, differing(({ isValidKid }) => ({ isValidKid: (kid) => isValidKid(kid) && isValidByModulus10(kid) }))],
  ['strict/references', 'takes every structured reference for a KID', 'references', differing({ isTakenForKid: () => true })],
  ['strict/accept-fix-everywhere', 'wants x-accept-fix wherever it is asked for anything but the customers of the sandbox', itself,
    alsoRefusing(everyOperation.filter((name) => operations[name].headers !== 'sandbox'), not(inHeader('x-accept-fix')), 400, 'HTTP_HEADER_REQUIRED'),
    under({ acceptFix: 'everywhere' })],
  ['strict/no-request-target', 'takes no signature over (request-target), which is no candidate header', itself,
    alsoRefusing(everyOperation, inHeader('signature', /\(request-target\)/)), under({ requestTarget: 'not-judged' })],
  ['strict/meant-for', 'takes no cross-border payment in NOK below NOK 100 000, which the product is meant for', itself,
    abroad((request) => currencyIn(request) === 'NOK' && isBelowWhatIsMeant(request))],
  ['strict/meant-for-everywhere', 'takes no cross-border payment of less than NOK 100 000 in any currency', 'amounts', abroad(isBelowWhatIsMeant)],
  ['strict/sanctions', 'refuses whom sanctions name', itself, atCreation((request) =>
    sanctionedCountries.has(countryIn(request) ?? '') || paidCurrencies.some((name) => sanctionedCurrencies.has(currencyIn(request, name) ?? '')), 403, 'FORBIDDEN')],
  ['strict/kroner-at-home', 'makes domestic payments in NOK only, to accounts in NOK', itself,
    atHome(inCurrencies((currency) => currency === 'NOK')), under({ currencies: 'kroner' })],
  // Abroad all accounts that a bank knows may be in other currencies.
  ['strict/kroner', 'deals in NOK only, abroad as well', [itself, 'creditors'], atCreation(inCurrencies((currency = 'NOK') => currency === 'NOK')),
    declaring({ interpretations: { currencies: 'kroner' }, currencyAbroad: 'NOK' })],
  ['strict/few-currencies', 'deals in few currencies', itself, atCreation(inCurrencies((currency = 'NOK') => dealtIn.test(currency))), under({ currencies: 'kroner' })],
  ['strict/account-currencies', 'knows an account in one currency', itself,
    rememberingCreated(creditorIn, (request, before?: string) => before ?? currencyIn(request, 'creditorAccount') ?? '', (known) => atCreation((request) => {
      const currency = currencyIn(request, 'creditorAccount') ?? '';
      return (known.get(creditorIn(request)) ?? currency) !== currency;
    }))],
  ['strict/currency-pairs', 'pays in the currency of one of the two accounts alone', itself, inOneOfTheirCurrencies],
  ['strict/request-ids', 'refuses an X-Request-ID that it has seen', itself, comingAgain((request) => request.header('x-request-id') ?? '', anywhere)],
  ['strict/uuid-request-ids', 'wants X-Request-ID to be a UUID', itself, anywhere(not(inHeader('x-request-id', /^[0-9a-f-]{36}$/i)))],
  ['strict/addresses', 'wants PSU-IP-Address to be an address', itself, atInitiation(not(inHeader('psu-ip-address', /^[0-9a-f:.]+$/i)))],
  ['strict/one-identity', 'takes either PSU-ID or X-PSU-IDENTITY, and not both', itself, atCreation(both(inHeader('psu-id'), inHeader('x-psu-identity')))],
  ['strict/https', 'sends the PSU to https addresses only', itself, atInitiation(not(inHeader('tpp-redirect-uri', /^https:/)))],
  ['strict/plain-redirects', 'sends the PSU to addresses without a query or a fragment only', itself, atInitiation(inHeader('tpp-redirect-uri', /[?#]/))],
  ['strict/accept', 'refuses with 406 an Accept that it cannot serve', itself,
    anywhere(both(inHeader('accept'), not(inHeader('accept', /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)/))), 406)],
  ['strict/content-type', 'wants a Content-Type with every body', itself, atInitiation(not(inHeader('content-type', /./)), 415)],
  ['strict/accept-fix', 'knows the listed values of x-accept-fix only', itself, atInitiation(not(inHeader('x-accept-fix', (value) => value.split(',').every(isFix))))],
  ['strict/rejected-in-basket', 'takes no rejected payment into a basket', itself,
    inBaskets((request, state) => paymentsIn(request, state).some(({ transactionStatus }) => transactionStatus === 'RJCT'))],
  ['strict/basket-duplicates', 'takes a payment once in a basket', itself, inBaskets((request) => new Set(idsInBasket(request)).size < idsInBasket(request).length)],
  // Where SCA begins with payments only, nobody could begin it.
  ['strict/psu-id', 'demands PSU-ID of every payment, whoever X-PSU-IDENTITY names', topic, atCreation(not(inHeader('psu-id'))),
    { ...under({ psuIdentification: 'not-judged' }), ...hidesOthers }],
  ['strict/ten-in-a-basket', 'holds ten payments in a basket, as the field description says', itself,
    withLimits({ basketPayments: limits.basketPaymentsFormerly }), under({ basketLimit: '10' })],
  ['strict/length-in-bytes', 'counts the bytes of a text instead of its characters', itself, differing({ lengthOf: (text) => Buffer.byteLength(text) }), under({ lengthUnit: 'ascii-only' })],
  ['strict/latin-1', 'can process the letters of Western Europe only', 'letters', canProcess((text) => /^[\t\n\r\x20-\x7e\xa0-\xff]*$/.test(text))],
  // Whoever is next to them would meet no other letters either.
  ['letters/ascii-only', 'can process no letter outside ASCII', topic, canProcess(isAscii), hidesOthers],
  ['letters/ascii-abroad', 'can process no letter outside ASCII in payments across the border', topic, abroad(({ bytes }) => !isAscii(bytes.toString('utf8'))), hidesOthers],
  ['strict/obsolete-dates', 'understands no obsolete form of a date', itself, anywhere(not(inHeader('date', /^\w{3}, \d{2} /)))],
  ['strict/digest-names', 'knows digest algorithms in upper case only', itself, anywhere(inHeader('digest', /^sha/))],
  ['strict/signed-date', 'wants no header to be signed but Digest and the date', itself, [
    withoutRules(({ requirement }) => requirement === 'SGS-08'),
    anywhere(inHeader('signature', (signature) => /headers="[^"]*"/.test(signature) && !/headers="[^"]*\bdate\b/.test(signature))),
  ]],
);

const freeTexts = [
  'creditorName',
  'ultimateDebtor',
  'remittanceInformationUnstructured',
  'regulatoryReportingInformation',
];
const someText =
  (form: RegExp, names = freeTexts): Condition =>
  ({ body }) =>
    names.some((name) => form.test(textAt(body, name) ?? 'none'));

const cities: Readonly<Record<string, string>> = {
  '0152': 'OSLO',
  '5003': 'BERGEN',
  '7010': 'TRONDHEIM',
  '9008': 'TROMSØ',
  '4006': 'STAVANGER',
};

const economicArea =
  /^(?:AT|BE|BG|CY|CZ|DE|DK|EE|ES|FI|FR|GB|GR|HR|HU|IE|IS|IT|LI|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK)/;

function isMisplaced({ body }: BankRequest): boolean {
  const city = textAt(body, 'creditorAddress', 'city')?.toUpperCase();
  const known = cities[textAt(body, 'creditorAddress', 'postalCode') ?? ''];
  return city !== undefined && known !== undefined && city !== known;
}

const invoiceIn = ({ body }: BankRequest): string | undefined => {
  const references =
    memberAt(body, 'remittanceInformationStructuredArray') ??
    memberAt(body, 'remittanceInformationStructured');
  return references === undefined
    ? undefined
    : `${textAt(body, 'creditorAccount', 'bban')} ${JSON.stringify(references)}`;
};

const payingReferencesOnce = (isForgiven: (request: BankRequest) => boolean, ...answered: Answered) =>
  rememberingCreated(
    invoiceIn,
    () => true,
    (paid) =>
      atCreation((request) => !isForgiven(request) && paid.has(invoiceIn(request) ?? ''), ...answered),
  );

const signsWhatTheSessionCreated = rememberingCreated(
  (_, { body }) => textAt(body, 'paymentId'),
  (request) => request.header('tpp-session-id'),
  (sessions) => {
    const isOfAnother = (id: unknown, request: BankRequest): boolean =>
      sessions.has(String(id)) && sessions.get(String(id)) !== request.header('tpp-session-id');
    const refusal = {
      status: 404,
      code: 'RESOURCE_UNKNOWN',
      text: 'The payment is none of this session.',
    } as const;
    return byChoice(
      ['createSigningBasket'],
      (request) => (idsInBasket(request).some((id) => isOfAnother(id, request)) ? refusal : undefined),
      { name: 'payments are signed in the session that created them', tried: before('SES-02') },
    );
  },
);

const takesUpUnfunded = perBank(() => {
  const takenUp = new Set<unknown>();
  const lacksFunds = (request: BankRequest, { payments }: BankState): boolean =>
    idsInBasket(request).length > 0 &&
    idsInBasket(request).every((id) => payments.get(String(id))?.fundsAvailable === false);
  return allOf(
    withVerdicts(
      (rule, operation) => operation === 'createSigningBasket' && serves(rule, 'BSK-25'),
      (refuses, request, state) => (lacksFunds(request, state) ? undefined : refuses(request, state)),
    ),
    withAnswers(['createSigningBasket'], (answer, request) => {
      if (answer.status === 201) for (const id of idsInBasket(request)) takenUp.add(id);
      return answer;
    }),
    withAnswers(['readPaymentStatus', 'readPayment'], (answer, { params }) =>
      takenUp.has(params.paymentId) && memberAt(answer.body, 'fundsAvailable') === false
        ? { ...answer, body: { ...Object(answer.body), transactionStatus: 'RCVD', fundsAvailable: true } }
        : answer,
    ),
  );
});

const isOfSeveralDays: Condition = (request, { payments }) =>
  new Set(idsInBasket(request).map((id) => textAt(payments.get(String(id))?.body, 'requestedExecutionDate')))
    .size > 1;

/** Roughly: no rate is given for the limit (Limits). */
const kronerIn: Readonly<Record<string, number>> = {
  NOK: 1,
  EUR: 11.5,
  USD: 10.5,
  GBP: 13.5,
  SEK: 1,
  DKK: 1.5,
};
const isReported = either(inBody('regulatoryReportingCode'), inBody('regulatoryReportingInformation'));
const isNeedlesslyReported =
  (currencies: readonly string[]): Condition =>
  (request) => {
    const currency = currencyIn(request) ?? '';
    const oere = amountIn(request) * 100 * (kronerIn[currency] ?? 1);
    return currencies.includes(currency) && oere < limits.regulatoryReportingFromOere && isReported(request);
  };

const isHeldElsewhere = (request: BankRequest) => {
  const [bank, account] = [agentIn(request)?.slice(4, 6), ibanIn(request)?.slice(0, 2)];
  return bank !== undefined && account !== undefined && bank !== account;
};

const livesElsewhere = (request: BankRequest) => {
  const held = ibanIn(request) ?? agentIn(request)?.slice(4, 6);
  return countryIn(request) !== undefined && held !== undefined && held.slice(0, 2) !== countryIn(request);
};

const isPaidToItself = ({ body }: BankRequest) =>
  ['bban', 'iban'].some((form) => {
    const number = textAt(body, 'debtorAccount', form);
    return number !== undefined && number === textAt(body, 'creditorAccount', form);
  });

const sumOf = ({ body }: BankRequest): string =>
  JSON.stringify([
    textAt(body, 'debtorAccount', 'bban') ?? textAt(body, 'debtorAccount', 'iban'),
    memberAt(body, 'instructedAmount'),
  ]);

const nobodysAddress = /^(?:10|127|192\.168|192\.0\.2|198\.51\.100|203\.0\.113)\.|^(?:2001:0?db8|fe80|::1$)/i;

// biome-ignore format: a table
export const particularDialects = rows(
  ['particular/places', 'knows which city a Norwegian postal code belongs to', itself, atHome(isMisplaced)],
  ['particular/short-texts', 'takes no names and messages of one or two letters', itself, atCreation(someText(/^\s*\S{0,2}\s*$/))],
  ['particular/readable-texts', 'takes no name that nobody can pronounce, no purpose that is shorter than a word, and no signs in a row', itself,
    atCreation((request, state) =>
      !/[aeiouyæøå]/i.test(textAt(request.body, 'creditorName') ?? 'a') ||
      (textAt(request.body, 'regulatoryReportingInformation') ?? 'goods').trim().length < 5 ||
      someText(/[.,()/-]{2}/)(request, state))],
  ['particular/names', 'takes no digits and brackets in the names of people and companies', itself,
    atCreation(someText(/[\d()/,]/, ['creditorName', 'ultimateDebtor']))],
  ['particular/signs', 'cannot process quotation marks, ampersands and the like', itself, atCreation(someText(/["'`&<>{}\\$#%*=@^~|_]/))],
  ['particular/letters-of-names', 'can process no letter outside ASCII in the name of a payee', 'letters',
    atCreation(inBody('creditorName', /[^\p{ASCII}]/u)), hidesOthers],
  ['particular/ip-addresses', 'refuses addresses in PSU-IP-Address at which no customer can be', itself, atInitiation(inHeader('psu-ip-address', nobodysAddress))],
  ['particular/ipv4', 'wants PSU-IP-Address to be an IPv4 address, as the framework has it', itself, atInitiation(inHeader('psu-ip-address', /:/))],
  ['particular/sessions-of-baskets', 'signs a payment in the session that created it only', itself, signsWhatTheSessionCreated],
  ['particular/days-of-baskets', 'takes payments of one day into a basket', itself, inBaskets(isOfSeveralDays)],
  ['particular/small-amounts', 'transfers no less than ten units of a currency', itself, atCreation((request) => amountIn(request) < 10)],
  ['particular/white-space', 'takes no white space in texts but single spaces between words', itself, atCreation(someText(/^\s|\s\s|[^\S ]|\s$/))],
  ['particular/needless-reporting', 'takes regulatory fields only with the transfers that need them', itself, abroad(isNeedlesslyReported(['NOK']))],
  ['particular/needless-reporting-at-its-rates', 'takes regulatory fields only with the transfers that need them, by the rates of the day', itself,
    abroad(isNeedlesslyReported(Object.keys(kronerIn)))],
  ['particular/agents', 'pays an IBAN only at a bank of its country', itself, abroad(isHeldElsewhere)],
  ['particular/residents', 'pays an account abroad only where the payee lives in its country', itself, abroad(livesElsewhere)],
  ['particular/brands', 'takes letters, digits, dots and hyphens in TPP-Brand-Logging-Information only, which it shows to the PSU', itself,
    atCreation(inHeader('tpp-brand-logging-information', /[^\p{L}\d .-]/u))],
  ['particular/agents-far-away', 'wants to know the bank of an account outside the European Economic Area, also where the account has an IBAN', itself,
    abroad((request) => agentIn(request) === undefined && !economicArea.test(ibanIn(request) ?? 'SE'))],
  ['particular/abroad', 'transfers nothing across the border to an account or an address in Norway', itself,
    abroad(either(inBody('creditorAddress.country', 'NO'), inBody('creditorAccount.iban', /^NO/)))],
  ['particular/own-account', 'transfers nothing from an account to itself', itself, atCreation(isPaidToItself)],
  ['particular/unfunded-again', 'takes a payment up again that lacked funds, once it is in a basket', itself, takesUpUnfunded],
  ['particular/sums-once', 'takes a payment of the same sum from the same account for a duplicate, whoever it goes to', 'duplicates',
    comingAgain(sumOf, (isAgain) => atCreation(both(isAgain, not(allowsDuplicates)), 409, 'CONFLICT'))],
  ['particular/references-once', 'takes a reference of a creditor once', 'duplicates', payingReferencesOnce(allowsDuplicates, 409, 'CONFLICT')],
  ['particular/pictures-once', 'takes a reference of a creditor once, whatever characters it has', ['duplicates', 'letters'],
    [payingReferencesOnce(allowsDuplicates, 409, 'CONFLICT'), canProcess(() => true)]],
  ['particular/invoices-once', 'knows no invoice any more that was paid, so that its KID is wrong, whatever duplicates are allowed', 'duplicates',
    payingReferencesOnce(() => false, 400, 'KID_INVALID')],
);

/** That every account can be paid is not said: a test bank may know a few, and refuse all others. */
const crossBorder = [
  { iban: 'SE4550000000058398257466', agent: 'ESSESESSXXX', currency: 'SEK', country: 'SE' },
  { bban: '021000021123456789', agent: 'CHASUS33XXX', currency: 'USD', country: 'US' },
];
const kroner = { bban: '86011117947', currency: 'NOK' };
const known: Required<Declared>['creditors'] = {
  domestic: [kroner, { bban: '60051234564', currency: 'EUR', agent: 'NDEANOKKXXX' }],
  crossBorder,
};
const knownInKroner = { domestic: [kroner], crossBorder };

const numbersOf = (creditors: Required<Declared>['creditors']): ReadonlySet<string> =>
  new Set([
    kidAccount,
    ...creditors.domestic.map(({ bban }) => bban),
    ...creditors.crossBorder.map(({ iban, bban }) => iban ?? bban ?? ''),
  ]);

const payingOnly = (creditors: Required<Declared>['creditors']) => {
  const payable = numbersOf(creditors);
  const isCustomers = (bban: string, { customers }: BankState): boolean =>
    customers.accountByReference({ bban, iban: undefined }) !== undefined;
  return atCreation(
    (request, state) => !payable.has(creditorIn(request)) && !isCustomers(creditorIn(request), state),
    404,
    'RESOURCE_UNKNOWN',
  );
};

// biome-ignore format: a table
export const creditorDialects = rows(
  ['creditors/known', 'pays only accounts that it knows', topic, payingOnly(known), declaring({ creditors: known })],
  ['creditors/known-in-kroner', 'pays only accounts that it knows, at home in NOK alone', topic, payingOnly(knownInKroner), declaring({ creditors: knownInKroner })],
  ['creditors/known-in-their-currencies', 'pays only accounts that it knows, in the currency of one of the two accounts', topic,
    [payingOnly(known), inOneOfTheirCurrencies], declaring({ creditors: known })],
  ['creditors/own-series', 'knows the accounts of its own series, and refuses to pay others of it', topic,
    atCreation((request) => creditorIn(request).startsWith('8601') && !numbersOf(known).has(creditorIn(request)))],
);

function bankingDayIn(days: number, now: Date): number {
  let time = Date.parse(`${osloDate(now)}T00:00:00Z`);
  for (let left = days; left > 0; left -= isBankingDay(new Date(time)) ? 1 : 0) time += dayMs;
  return time;
}

const cutOff = 13;

const inTheAfternoon: DesignChange = (design) => {
  const now = new Date();
  const ahead = nextBankingHour(now, cutOff + 2).getTime() - now.getTime();
  return { ...design, clockOffsetSeconds: Math.round(ahead / 1000) };
};

const dated = (isRefused: (day: number, now: Date, request: BankRequest) => boolean, refuse = atCreation) =>
  refuse(
    (request, { clock }) => isRefused(dayIn(request), clock.now(), request),
    400,
    'EXECUTION_DATE_INVALID',
  );

/** When a payment can be executed is not said: banks have holidays, and an hour after which the day is over. */
// biome-ignore format: a table
export const executionDateDialects = rows(
  ['dates/within-a-month', 'executes payments within a month, and has no need of a date for those of today', itself,
    dated((day, now, request) => dateIn(request) === osloDate(now) || day > now.getTime() + 31 * dayMs)],
  ['dates/three-days-abroad', 'wants to know of a transfer abroad three banking days before', itself, dated((day, now) => day < bankingDayIn(3, now), abroad)],
  ['dates/days-ahead', 'executes payments within eight banking days', itself, dated((day, now) => day > bankingDayIn(8, now))],
  // What is no date at all is refused for that.
  ['dates/banking-days', 'executes payments on banking days only', topic, dated((day) => !Number.isNaN(day) && !isBankingDay(new Date(day)))],
  ['dates/cut-off', 'executes nothing on the same day in the afternoon, which it is', 'clock',
    [inTheAfternoon, dated((_, now, request) => dateIn(request) === osloDate(now) && osloHour(now) >= cutOff)]],
);

const without = (...requirements: readonly string[]) =>
  withoutRules(({ requirement }) => requirements.includes(requirement));

const leavingOutAbsent = differing(({ signing }) => ({
  signing: {
    ...signing,
    judge: (request, names, ...rest) =>
      signing.judge(
        request,
        names.filter((name) => signing.valueIn(request, name) !== undefined),
        ...rest,
      ),
  },
}));

const kidsOfAgreements = differing(({ isTakenForKid }) => ({
  isTakenForKid: (reference, payment) =>
    textAt(payment, 'creditorAccount', 'bban') === kidAccount && isTakenForKid(reference, payment),
}));

/** What is refused by choice or by advice alone may be accepted. */
// biome-ignore format: a table
export const lenientDialects = rows(
  ['lenient/characters', 'can process every character', 'letters', differing({ isProcessable: () => true })],
  ['lenient/own-choices', 'refuses nothing by its own choice', itself, withoutRules(({ ownChoice }) => ownChoice === true), hidesOthers],
  ['lenient/advice', 'accepts what only advisory requirements refuse', itself,
    withoutRules(({ requirement }) => requirementById.get(requirement)?.level === 'advisory')],
  ['lenient/signature-form', 'reads the Signature header in any order and case', itself, without('SGH-03', 'SGH-04', 'SGH-06', 'SGH-09', 'SGH-13')],
  ['lenient/certificates', 'takes certificates of every authority, of all times and roles, as sandboxes do', itself,
    without('CRT-01', 'CRT-02', 'CRT-03', 'CRT-04', 'CRT-05', 'CRT-09'), under({ certificateTrust: 'production' })],
  ['lenient/announced-hash', 'verifies by SHA-512 where the Signature header says so', itself, verifiedByItsName],
  ['lenient/unsigned-headers', 'wants no header but Digest to be signed', itself, without('SGS-08')],
  ['lenient/absent-headers', 'leaves headers that are listed and absent out of the signing string', itself, [without('SGS-09'), leavingOutAbsent]],
  ['lenient/header-values', 'takes any value of headers that only inform', itself, withoutRules(({ requirement }) => /^HD[NCB]-(?:20|30|32)$/.test(requirement))],
  ['lenient/fraction-digits', 'takes amounts with fewer fraction digits than their currency has', itself, without('AMT-03'), under({ amountFractionDigits: 'at-most' })],
  ['lenient/accounts', 'takes BBAN and IBAN together in cross-border payments', itself, without('NCB-61', 'NCB-63')],
  ['lenient/kids', 'knows KIDs of the accounts with an agreement only', 'references', kidsOfAgreements],
  ['lenient/duplicates', 'never refuses a duplicate', 'duplicates', differing({ refusesDuplicates: () => false })],
);

const beyondPayments = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'startUserFlow',
  'createConsent',
  'createBankOfferedConsent',
  'listAgreements',
] as const;
const ofBaskets = [
  'createSigningBasket',
  'readSigningBasket',
  'readSigningBasketStatus',
  'deleteSigningBasket',
] as const;
const ofSandboxes = ['listSandboxCustomers', 'createSandboxCustomer', 'deleteSandboxCustomer'] as const;

/** The operation is not there: it is mentioned by path only. */
const lackingAll =
  (...operations: readonly BankOperation[]): DesignChange =>
  (design) => ({
    ...design,
    adaptRoutes: (routes) =>
      design.adaptRoutes(routes).filter(({ operation }) => !operations.includes(operation)),
  });

/** One product is enough: what holds for every payment shows in the other. */
const withoutProduct = ({ word, profile, creation }: Product): Row => [
  `offers/no-${profile}`,
  `makes no ${word} payments`,
  itself,
  lackingAll(creation),
  { ...lacking(`the bank makes no ${word} payments`, profile), ...hidesOthers },
];

const at = (path: string): string => `/v1/payments/${path}`;

const calling = (names: Readonly<Record<ProductName, string>>) =>
  allOf(
    withRoutes((route) => {
      const product = everyProduct.find(({ path }) => route.path === at(path));
      return product === undefined ? route : { ...route, path: at(names[product.name]) };
    }),
    asking(['readPaymentStatus', 'readPayment', 'deletePayment'], (request) =>
      withParam(
        request,
        'product',
        everyProduct.find(({ name }) => names[name] === request.params.product)?.path ?? 'none',
      ),
    ),
    withEveryAnswerText((text) =>
      everyProduct.reduce((all, { name, path }) => all.replaceAll(at(path), at(names[name])), text),
    ),
  );

const called = (way: string, title: string, domestic: string, crossBorder: string): Row => [
  `products/${way}`,
  title,
  topic,
  calling({ domestic, crossBorder }),
  declaring({ paths: { domesticPayments: at(domestic), crossBorderPayments: at(crossBorder) } }),
];

const paymentsOnly = 'the bank offers payments only';

// biome-ignore format: a table
export const offerDialects = rows(
  called('other-names', 'makes instant payments at home, and calls those abroad otherwise', 'instant-norwegian-domestic-credit-transfers-straks', 'cross-border-credit-transfers'),
  called('sepa', 'calls payments abroad SEPA payments', products.domestic.path, 'sepa-credit-transfers'),
  ['offers/no-consents', 'has only the successor of /v1/consents', itself, lackingAll('createConsent')],
  // As the specification announces of some; the bank says so (RFC 9110, 15.5.11).
  ['offers/consents-gone', 'says that /v1/consents is gone', 'offers/no-consents',
    withRoutes((route) => (route.operation === 'createConsent' ? { ...route, rules: [], handle: () => ({ status: 410 }) } : route))],
  ['offers/no-bank-offered-consents', 'has no successor of /v1/consents yet', itself, lackingAll('createBankOfferedConsent')],
  ['offers/no-consents-at-all', 'has neither /v1/consents nor its successor', 'consents', lackingAll('createConsent', 'createBankOfferedConsent')],
  ['offers/no-user', 'has no /v1/user', itself, lackingAll('startUserFlow')],
  ['offers/no-accounts', 'shows no accounts, so that SCA begins at /v1/user', itself, lackingAll('listAccounts', 'readBalances', 'readTransactions'), hidesOthers],
  ['offers/no-agreements', 'has no /v1/agreements', 'agreements', lackingAll('listAgreements')],
  ['offers/no-customer-creation', 'has no creation of sandbox customers', itself, lackingAll('createSandboxCustomer')],
  ['offers/no-signing-baskets', 'has no signing baskets', itself, lackingAll(...ofBaskets),
    { ...lacking('payments are signed one by one', 'signing-baskets'), ...hidesOthers }],
  ['offers/no-sandbox', 'has no operations of a sandbox in its test environment', itself, lackingAll(...ofSandboxes),
    { ...lacking('customers of the test environment are not listed', 'sandbox'), ...hidesOthers }],
  ['offers/payments-only', 'offers payments only, so that SCA begins with one of them', [itself, whereScaBegins], lackingAll(...beyondPayments),
    { ...lacking(paymentsOnly, 'accounts'), ...hidesOthers }],
  ['offers/nothing-but-payments', 'offers payments only, and has neither baskets nor operations of a sandbox', [itself, whereScaBegins],
    lackingAll(...beyondPayments, ...ofBaskets, ...ofSandboxes), { ...lacking(paymentsOnly, 'accounts', 'signing-baskets', 'sandbox'), ...hidesOthers }],
  withoutProduct(products.domestic),
  withoutProduct(products.crossBorder),
  ['offers/no-deletion', 'has no deletion of payments', 'deletion', lackingAll('deletePayment')],
);
