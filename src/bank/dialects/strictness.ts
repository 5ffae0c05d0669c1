import { remittanceFields } from '../../spec/bodies/domestic-payment.ts';
import { isBic } from '../../spec/check-digits.ts';
import { acceptFixes } from '../../spec/code-lists.ts';
import { sanctionedCountries, sanctionedCurrencies } from '../../spec/countries.ts';
import { unitsWorth } from '../../spec/currencies.ts';
import { dayMs } from '../../spec/days.ts';
import type { Field } from '../../spec/field.ts';
import { isObject, memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { type OperationName, operations } from '../../spec/operations.ts';
import { createdBy, creations, initiations, products } from '../../spec/products.ts';
import { type DesignChange, withAnswers, withLimits, withoutRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import { isBban, isIban } from '../state/check-digits.ts';
import { inOneOfTheirCurrencies } from './creditors.ts';
import { alsoDeciding, type Dialect, deciding, declaring, dialect, hiding, independent } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

const everything: readonly BankOperation[] = [...initiations, 'listSandboxCustomers'];

const everyOperation = Object.keys(operations) as readonly OperationName[];

const account = ({ body }: BankRequest, name: string) => ({
  bban: textAt(body, name, 'bban'),
  iban: textAt(body, name, 'iban'),
});

function hasWrongCheckDigits(request: BankRequest): boolean {
  const accounts = [account(request, 'debtorAccount'), account(request, 'creditorAccount')];
  const domestic =
    request.operation === products.domestic.creation
      ? accounts
      : accounts.filter(({ bban = '' }, position) => position === 0 || /^\d{11}$/.test(bban));
  const agent = textAt(request.body, 'creditorAgent');
  return (
    domestic.some((found) => found.bban !== undefined && !isBban(found.bban)) ||
    accounts.some(({ iban }) => iban !== undefined && !isIban(iban)) ||
    (agent !== undefined && !isBic(agent))
  );
}

function hasUnknownMembers(value: unknown, fields: readonly Field[]): boolean {
  if (Array.isArray(value)) return value.some((element) => hasUnknownMembers(element, fields));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) return true;
    const inner = field.fields ?? field.items?.fields;
    return inner !== undefined && hasUnknownMembers(member, inner);
  });
}

const refusesUnknownMembers: DesignChange = (design) =>
  alsoRefusing(initiations, ({ operation, body }) => {
    const { fields } = design.bodies[createdBy(operation)?.body ?? 'basketRequest'];
    return hasUnknownMembers(body, fields);
  })(design);

/** By rates of its own: less than a third of what is certainly worth NOK 100 000. */
function isBelowWhatIsMeant(body: BankRequest['body']): boolean {
  const currency = textAt(body, 'instructedAmount', 'currency') ?? '';
  const amount = Number(textAt(body, 'instructedAmount', 'amount'));
  return currency === 'NOK'
    ? amount * 100 < products.crossBorder.meantFromOere
    : amount < unitsWorth(10_000, currency);
}

const executionDate = ({ body }: BankRequest): Date | undefined => {
  const text = textAt(body, 'requestedExecutionDate');
  return text === undefined ? undefined : new Date(`${text}T00:00:00Z`);
};

const isWeekend = (date: Date): boolean => date.getUTCDay() === 0 || date.getUTCDay() === 6;

/** Ids of requests that were seen, to be refused when they come again. */
const refusesRepeatedIds: DesignChange = (design) => {
  const seen = new Set<string>();
  return alsoRefusing(everything, (request) => {
    const id = request.header('x-request-id') ?? '';
    return seen.size === seen.add(id).size;
  })(design);
};

/** The currency in which an account was first paid to is its own. */
const dealtIn: ReadonlySet<string> = new Set(['NOK', 'EUR', 'USD', 'SEK', 'DKK', 'GBP']);

const refusesOtherCurrencies: DesignChange = (design) => {
  const currencyOf = new Map<string, string>();
  const creditorOf = (request: BankRequest) => {
    const { bban, iban } = account(request, 'creditorAccount');
    return {
      number: iban ?? bban ?? '',
      currency: textAt(request.body, 'creditorAccount', 'currency') ?? '',
    };
  };
  const refuse = alsoRefusing(creations, (request) => {
    const { number, currency } = creditorOf(request);
    return (currencyOf.get(number) ?? currency) !== currency;
  });
  const remember = withAnswers(creations, (answer, request) => {
    const { number, currency } = creditorOf(request);
    if (answer.status === 201 && !currencyOf.has(number)) currencyOf.set(number, currency);
    return answer;
  });
  return remember(refuse(design));
};

const accepts = (accept: string | undefined): boolean =>
  accept === undefined || /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)/.test(accept);

const header = (
  name: string,
  isWrong: (value: string) => boolean,
  operations = everything,
  status = 400,
): DesignChange =>
  alsoRefusing(operations, (request) => isWrong(request.header(name) ?? ''), {
    status,
    code: 'FORMAT_ERROR',
  });

const isAscii = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text);

export const strictDialects: readonly Dialect[] = [
  independent(
    'strict/check-digits',
    'refuses account numbers and BICs whose check digits or form are wrong',
    alsoRefusing(creations, hasWrongCheckDigits),
  ),
  deciding(
    'duplicates',
    independent(
      'strict/duplicates',
      'refuses the like of an earlier payment unless duplicates are allowed',
      (design) => ({
        ...design,
        refusesDuplicates: ({ query }) => query.get('allowLogicalDuplicate') !== 'true',
      }),
    ),
  ),
  independent('strict/unknown-members', 'refuses members that no table has', refusesUnknownMembers),
  independent(
    'strict/weekdays',
    'executes payments on weekdays only',
    alsoRefusing(creations, (request) => isWeekend(executionDate(request) ?? new Date(0)), {
      status: 422,
      code: 'EXECUTION_DATE_INVALID',
    }),
  ),
  independent(
    'strict/within-a-year',
    'executes payments within a year',
    alsoRefusing(
      creations,
      (request, { clock }) => (executionDate(request)?.getTime() ?? 0) > clock.now().getTime() + 365 * dayMs,
    ),
  ),
  independent(
    'strict/remittance-pairs',
    'takes one form of remittance information at a time',
    alsoRefusing(
      creations,
      ({ body }) => remittanceFields.filter((name) => memberAt(body, name) !== undefined).length > 1,
    ),
  ),
  independent(
    'strict/zero',
    'refuses an amount of zero',
    alsoRefusing(creations, ({ body }) => Number(textAt(body, 'instructedAmount', 'amount')) === 0),
  ),
  deciding(
    'amounts',
    dialect(
      'strict/great-amounts',
      'refuses amounts of a million and more',
      alsoRefusing(creations, ({ body }) => Number(textAt(body, 'instructedAmount', 'amount')) >= 1e6),
    ),
  ),
  independent('strict/kid', 'takes KIDs by modulus 10 only', (design) => ({
    ...design,
    isValidKid: (reference) => design.isValidKid(reference) && isByModulus10(reference),
  })),
  deciding(
    'references',
    independent('strict/references', 'takes every structured reference for a KID', (design) => ({
      ...design,
      isTakenForKid: () => true,
    })),
  ),
  declaring(
    { interpretations: { acceptFix: 'everywhere' } },
    independent(
      'strict/accept-fix-everywhere',
      'wants x-accept-fix wherever it is asked for anything but the customers of the sandbox',
      alsoRefusing(
        everyOperation.filter((name) => operations[name].headers !== 'sandbox'),
        (request) => request.header('x-accept-fix') === undefined,
        { status: 400, code: 'HTTP_HEADER_REQUIRED' },
      ),
    ),
  ),
  declaring(
    { interpretations: { requestTarget: 'not-judged' } },
    independent(
      'strict/no-request-target',
      'takes no signature over (request-target), which is no candidate header',
      alsoRefusing(everyOperation, (request) => /\(request-target\)/.test(request.header('signature') ?? '')),
    ),
  ),
  independent(
    'strict/meant-for',
    'takes no cross-border payment in NOK below NOK 100 000, which the product is meant for',
    alsoRefusing(
      [products.crossBorder.creation],
      ({ body }) => textAt(body, 'instructedAmount', 'currency') === 'NOK' && isBelowWhatIsMeant(body),
    ),
  ),
  deciding(
    'amounts',
    dialect(
      'strict/meant-for-everywhere',
      'takes no cross-border payment of less than NOK 100 000 in any currency',
      alsoRefusing([products.crossBorder.creation], ({ body }) => isBelowWhatIsMeant(body)),
    ),
  ),
  independent(
    'strict/sanctions',
    'refuses whom sanctions name',
    alsoRefusing(
      creations,
      ({ body }) =>
        sanctionedCountries.has(textAt(body, 'creditorAddress', 'country') ?? '') ||
        ['instructedAmount', 'creditorAccount'].some((name) =>
          sanctionedCurrencies.has(textAt(body, name, 'currency') ?? ''),
        ),
      { status: 403, code: 'FORBIDDEN' },
    ),
  ),
  declaring(
    { interpretations: { currencies: 'kroner' } },
    independent(
      'strict/kroner-at-home',
      'makes domestic payments in NOK only, to accounts in NOK',
      alsoRefusing([products.domestic.creation], ({ body }) =>
        ['instructedAmount', 'creditorAccount'].some((name) => textAt(body, name, 'currency') !== 'NOK'),
      ),
    ),
  ),
  declaring(
    { interpretations: { currencies: 'kroner' }, currencyAbroad: 'NOK' },
    alsoDeciding(
      // Abroad all accounts that a bank knows may be in other currencies.
      'creditors',
      independent(
        'strict/kroner',
        'deals in NOK only, abroad as well',
        alsoRefusing(creations, ({ body }) =>
          ['creditorAccount', 'instructedAmount'].some(
            (name) => (textAt(body, name, 'currency') ?? 'NOK') !== 'NOK',
          ),
        ),
      ),
    ),
  ),
  declaring(
    { interpretations: { currencies: 'kroner' } },
    independent(
      'strict/few-currencies',
      'deals in few currencies',
      alsoRefusing(creations, ({ body }) =>
        ['creditorAccount', 'instructedAmount'].some(
          (name) => !dealtIn.has(textAt(body, name, 'currency') ?? 'NOK'),
        ),
      ),
    ),
  ),
  independent('strict/account-currencies', 'knows an account in one currency', refusesOtherCurrencies),
  independent(
    'strict/currency-pairs',
    'pays in the currency of one of the two accounts alone',
    inOneOfTheirCurrencies,
  ),
  independent('strict/request-ids', 'refuses an X-Request-ID that it has seen', refusesRepeatedIds),
  independent(
    'strict/uuid-request-ids',
    'wants X-Request-ID to be a UUID',
    header('x-request-id', (id) => !/^[0-9a-f-]{36}$/i.test(id)),
  ),
  independent(
    'strict/addresses',
    'wants PSU-IP-Address to be an address',
    header('psu-ip-address', (address) => !/^[0-9a-f:.]+$/i.test(address), initiations),
  ),
  independent(
    'strict/one-identity',
    'takes either PSU-ID or X-PSU-IDENTITY, and not both',
    alsoRefusing(creations, (request) =>
      ['psu-id', 'x-psu-identity'].every((name) => request.header(name) !== undefined),
    ),
  ),
  independent(
    'strict/https',
    'sends the PSU to https addresses only',
    header('tpp-redirect-uri', (address) => !address.startsWith('https:'), initiations),
  ),
  independent(
    'strict/plain-redirects',
    'sends the PSU to addresses without a query or a fragment only',
    header('tpp-redirect-uri', (address) => /[?#]/.test(address), initiations),
  ),
  independent(
    'strict/accept',
    'refuses with 406 an Accept that it cannot serve',
    alsoRefusing(everything, (request) => !accepts(request.header('accept')), {
      status: 406,
      code: 'FORMAT_ERROR',
    }),
  ),
  independent(
    'strict/content-type',
    'wants a Content-Type with every body',
    header('content-type', (type) => type === '', initiations, 415),
  ),
  independent(
    'strict/accept-fix',
    'knows the listed values of x-accept-fix only',
    header(
      'x-accept-fix',
      (value) => !value.split(',').every((fix) => acceptFixes.some((known) => known.value === fix.trim())),
      initiations,
    ),
  ),
  independent(
    'strict/rejected-in-basket',
    'takes no rejected payment into a basket',
    alsoRefusing(['createSigningBasket'], (request, state) =>
      paymentsIn(request, state).some(({ transactionStatus }) => transactionStatus === 'RJCT'),
    ),
  ),
  independent(
    'strict/basket-duplicates',
    'takes a payment once in a basket',
    alsoRefusing(['createSigningBasket'], ({ body }) => {
      const ids = memberAt(body, 'paymentIds');
      return Array.isArray(ids) && new Set(ids).size < ids.length;
    }),
  ),
  // Where SCA begins with payments only, nobody could begin it.
  hiding(
    declaring(
      { interpretations: { psuIdentification: 'not-judged' } },
      dialect(
        'strict/psu-id',
        'demands PSU-ID of every payment, whoever X-PSU-IDENTITY names',
        alsoRefusing(creations, (request) => request.header('psu-id') === undefined),
      ),
    ),
  ),
  declaring(
    { interpretations: { basketLimit: '10' } },
    independent(
      'strict/ten-in-a-basket',
      'holds ten payments in a basket, as the field description says',
      withLimits({ basketPayments: limits.basketPaymentsFormerly }),
    ),
  ),
  declaring(
    { interpretations: { lengthUnit: 'ascii-only' } },
    independent(
      'strict/length-in-bytes',
      'counts the bytes of a text instead of its characters',
      (design) => ({ ...design, lengthOf: (text) => Buffer.byteLength(text) }),
    ),
  ),
  deciding(
    'letters',
    independent('strict/latin-1', 'can process the letters of Western Europe only', (design) => ({
      ...design,
      isProcessable: (text) => /^[\t\n\r\x20-\x7e\xa0-\xff]*$/.test(text),
    })),
  ),
  // Whoever is next to them would meet no other letters either.
  hiding(
    dialect('letters/ascii-only', 'can process no letter outside ASCII', (design) => ({
      ...design,
      isProcessable: isAscii,
    })),
  ),
  hiding(
    dialect(
      'letters/ascii-abroad',
      'can process no letter outside ASCII in payments across the border',
      alsoRefusing([products.crossBorder.creation], ({ bytes }) => !isAscii(bytes.toString('utf8'))),
    ),
  ),
  independent(
    'strict/obsolete-dates',
    'understands no obsolete form of a date',
    header('date', (date) => !/^\w{3}, \d{2} /.test(date)),
  ),
  independent(
    'strict/digest-names',
    'knows digest algorithms in upper case only',
    header('digest', (digest) => /^sha/.test(digest)),
  ),
  independent(
    'strict/signed-date',
    'wants no header to be signed but Digest and the date',
    withoutRules(({ requirement }) => requirement === 'SGS-08'),
    header(
      'signature',
      (signature) => /headers="[^"]*"/.test(signature) && !/headers="[^"]*\bdate\b/.test(signature),
    ),
  ),
];

function isByModulus10(kid: string): boolean {
  const sum = [...kid].toReversed().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
}
