import { remittanceFields } from '../../spec/bodies/domestic-payment.ts';
import { requirementById } from '../../spec/catalogue.ts';
import { demandsOf, pathText } from '../../spec/field.ts';
import { headerId, headerRows, specifiedProfiles } from '../../spec/headers.ts';
import { memberAt } from '../../spec/json.ts';
import { everyProduct, isCreation, type Product, products } from '../../spec/products.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withRoutes } from '../design/design-changes.ts';
import { type BankRequest, type BankState, type Refusal, type Route, refusalOf } from '../design/route.ts';
import {
  type Deviation,
  either,
  inBody,
  inBytes,
  inHeader,
  inQuery,
  isOfACompany,
  not,
} from './deviation.ts';

/** What the sound bank and the deviant one would say to a request, and what came before. */
interface Seen {
  /** Whether one of the few requests before was refused. */
  readonly afterRefusal: boolean;
  /** Whether others came at the same time. */
  readonly together: boolean;
  /** How many requests that the deviation is about came before. */
  readonly earlier: number;
  /** Whether it has another User-Agent than the first. */
  readonly fromAnotherClient: boolean;
}

/** A circumstance in which a plausible bug shows, while everything else goes on as it should. */
interface Circumstance {
  /** The end of the id: `NDC-11/one-longer@corporate`. */
  readonly name: string;
  /** The end of the sentence: `takes a creditorName of 71 characters, but only …`. */
  readonly title: string;
  readonly isMet: (request: BankRequest, seen: Seen) => boolean;
  /** Only payments of this product can meet it. */
  readonly product?: Product;
  /**
   * Topics that it speaks of by itself, so that it cannot be combined with a deviation that is about one of them: headers,
   * fields, requirements, kinds of those, or deviations.
   */
  readonly about?: readonly string[];
  /** Topics of deviations that can be combined all the same. */
  readonly goesWith?: readonly string[];
  /** What is said of requests that meet it: broken as well where the deviation refuses them. */
  readonly also?: readonly string[];
  /** Nothing says that a bank takes everything so, and checks that something is taken do not ask for it. */
  readonly onlyForFaults?: true;
}

const { domestic, crossBorder } = products;
const onlyForFaults = true;

/** An agent is not among them: payments to some accounts need one. */
const optionalMembers = ['purposeCode', 'requestedExecutionDate', 'ultimateDebtor'] as const;

/** Where one of them is demanded, the bank refuses what lacks it. */
const demandedMembers = [
  ...optionalMembers.map((member) => `NDC-69/demands-${member}`),
  'NCB-69/demands-purposeCode',
  'NCB-69/demands-requestedExecutionDate',
];

/** Great amounts go to an IBAN each, with an address in its country. */
const aboveTheLimit = ['REG-01', 'REG-02'].flatMap((id) =>
  ['32-bits', 'below-a-million', 'only-at'].map((name) => `${id}/${name}`),
);

/** Deviations that show where there is a date or several optional fields; or where one is alone. */
const ofOptionalMembers = [
  ...['NDC-55/any-day', 'NDC-55/norwegian-dates', 'NCB-46/any-day', 'NDC-68/refused'],
  ...['NDC-69/no-future-date', 'NDC-69/some', 'NCB-69/some', 'NCB-69/in-one-message'],
];

const ofWhoThePsuIs = ['PSU-Corporate-ID', 'PSU-Context', 'X-PSU-IDENTITY'];

/** Whether a transfer has to be reported follows from its amount. */
const ofAmounts = [
  ...['instructedAmount', 'creditorAccount.currency', 'debtorAccount.currency', 'AMT', 'REG'],
  ...['regulatoryReportingCode', 'regulatoryReportingInformation'],
];

const hasSeveralReferences = ({ body }: BankRequest): boolean =>
  [memberAt(body, 'remittanceInformationStructuredArray')].flat().length > 1;

type CircumstanceRow = readonly [
  name: string,
  title: string,
  isMet: Circumstance['isMet'],
  more?: Omit<Circumstance, 'name' | 'title' | 'isMet'>,
];

// biome-ignore format: a table
const circumstances: readonly CircumstanceRow[] = [
  // A card is that of a private PSU, and the header that SGS-09 lists without sending it is sent for a company. Where a
  // bank objects to the account of a company, the account may be wrong, and nothing is judged.
  ['corporate', 'for a company', isOfACompany,
    { also: ['COR-02'], about: [...ofWhoThePsuIs, 'SGS-09', 'debtorAccount.other', 'NDC-60', 'NDC-62', 'NCB-67/demands-debtorAccount.bban', 'NCB-67/demands-debtorAccount.iban'] }],
  // Another fault of the account next to an IBAN would be two of them; its currency goes with each form.
  ['iban', 'when the debtor account is given as IBAN', inBody('debtorAccount.iban'),
    { product: crossBorder, also: ['NCB-67'], about: ['debtorAccount', 'NCB-63'], goesWith: ['debtorAccount.currency'] }],
  // A company has no card, and accounts are as above.
  ['card', 'when a card account is debited', inBody('debtorAccount.other'),
    { product: domestic, also: ['NDC-62'], about: ['debtorAccount', 'SGS-05'], goesWith: ['debtorAccount.currency'], onlyForFaults }],
  ['sha-512', 'when the Digest is made with SHA-512', inHeader('digest', /^sha-512=/i), { also: ['DIG-02'], about: ['DIG', 'Digest', 'SGS-07'] }],
  ['encoded-signature', 'when the Signature header is an encoded word', inHeader('signature', /^=\?/), { about: ['SIG-01', 'Signature'], onlyForFaults }],
  // The optional fields are chosen from next to what is unstructured.
  ['several-references', 'when there are several references', hasSeveralReferences,
    { product: domestic, also: ['NDC-65'], about: ['REM', ...remittanceFields, 'NDC-63', 'NDC-64', 'NDC-65', 'NDC-66', 'NDC-69/some'], goesWith: ['NDC-65/refused', 'REM-11/refused'] }],
  ...([['purposeCode', 'NCB-69/no-purpose'], ['requestedExecutionDate'], ['ultimateDebtor', 'NDC-69/no-ultimate-debtor']] as const).map(([member, ...absent]): CircumstanceRow =>
    [`with-${member}`, `when ${member} is there`, inBody(member),
      { ...(member === 'ultimateDebtor' ? { product: domestic } : {}), also: ['NDC-69', 'NCB-69'], about: [member, ...ofOptionalMembers, ...absent] }]),
  // Whoever has a fault in one of them has one of them, unless the fault is that it is demanded.
  ['bare', 'when there are no optional fields', not(either(...optionalMembers.map((member) => inBody(member)))),
    { also: ['NDC-69', 'NCB-69'], about: [...optionalMembers, ...ofOptionalMembers, 'NDC-69/no-ultimate-debtor', 'NCB-69/no-purpose'], goesWith: demandedMembers }],
  ['spaced', 'when the body has white space in it', inBytes(/[\n\t]|" ?: |, "/),
    { also: ['DIG-04'], about: ['DIG-03', 'DIG-04', 'DIG-05', 'DIG-06', 'DIG-07', 'DIG-10', 'Digest', 'SGS-07'] }],
  ['optional-headers', 'when the optional headers are there', inHeader('psu-geo-location'), { also: ['HDN-02', 'HDC-02'], about: ['PSU-Geo-Location'] }],
  ['lower-case-names', 'when header names are in lower case', ({ headerNames }) => headerNames.every((name) => name === name.toLowerCase()), { onlyForFaults }],
  ['charset', 'when Content-Type has a charset', inHeader('content-type', /charset/i), { onlyForFaults }],
  ['with-query', 'when duplicates are allowed', inQuery('allowLogicalDuplicate'), { about: ['SGS-12', 'SGS-13'], onlyForFaults }],
  // SGS-05 is about the header of a company.
  ['psu-context', 'when PSU-Context is PRIVATE', inHeader('psu-context', 'PRIVATE'), { about: [...ofWhoThePsuIs, 'SGS-05'], onlyForFaults }],
  ['euro', 'when the amount is in EUR', inBody('instructedAmount.currency', 'EUR'), { about: ofAmounts, onlyForFaults }],
  ['small-amount', 'when the amount is less than 100', inBody('instructedAmount.amount', (amount) => amount !== '' && Number(amount) < 100), { about: ofAmounts, onlyForFaults }],
  ['whole-amount', 'when the amount has nothing behind the point', inBody('instructedAmount.amount', /\.00$/), { about: ofAmounts, onlyForFaults }],
  ['norwegian-name', 'when there is a letter of Norway in creditorName', inBody('creditorName', /[æøå]/i), { product: domestic, also: ['TRN-05', 'NDC-11'], about: ['creditorName'] }],
  ['ipv6', 'when PSU-IP-Address is an address of IPv6', inHeader('psu-ip-address', /:/), { about: ['PSU-IP-Address'], onlyForFaults }],
  ['redirect-query', 'when TPP-Redirect-URI has a query', inHeader('tpp-redirect-uri', /\?/), { about: ['TPP-Redirect-URI'], onlyForFaults }],
  ['in-the-app', 'when TPP-Redirect-Preferred is false', inHeader('tpp-redirect-preferred', 'false'), { about: ['TPP-Redirect-Preferred'], onlyForFaults }],
  ['creditor-bban', 'when the creditor account is given as BBAN', inBody('creditorAccount.bban'),
    { product: crossBorder, about: ['creditorAccount', 'creditorAgent', 'NCB-61', 'NCB-64', ...aboveTheLimit], goesWith: ['creditorAccount.currency'], onlyForFaults }],
  // What has to be taken comes right after a refusal in a run, among the requests of other checks: here they are not sent.
  ['after-refusal', 'in the three requests after one that it has refused', (_, { afterRefusal }) => afterRefusal, { onlyForFaults }],
  ['another-client', 'when another client asks than the first', (_, { fromAnotherClient }) => fromAnotherClient, { about: ['TRN-18', 'TRN-19'], onlyForFaults }],
  ['together', 'when other requests come at the same time', (_, { together }) => together],
  ['second-time', 'from the second time on', (_, { earlier }) => earlier > 0],
];

export const conditions: readonly Circumstance[] = circumstances.map(([name, title, isMet, more]) => ({
  name,
  title,
  isMet,
  ...more,
}));

/** By requirement: the fields and headers that the tables of the specification have it about. */
const subjects = new Map<string, Set<string>>();

function add(requirement: string, subject: string): void {
  subjects.set(requirement, (subjects.get(requirement) ?? new Set()).add(subject));
}

for (const { table } of everyProduct) {
  for (const { id, path } of demandsOf(table)) add(id, pathText(path));
  for (const { id, path } of table.combinations ?? []) if (path.length > 0) add(id, pathText(path));
}
for (const profile of specifiedProfiles)
  for (const { name, number, type } of headerRows)
    for (const each of type === undefined ? [number] : [number, type.number])
      add(headerId(profile, each), name);

/** `debtorAccount`, `debtorAccount.other` and so on: who speaks of a part speaks of the whole. */
const withWholes = (path: string): readonly string[] =>
  path.split('.').map((_, index, steps) =>
    steps
      .slice(0, index + 1)
      .join('.')
      .replace(/\[\]$/, ''),
  );

const kindOf = (requirement: string): string => requirement.slice(0, requirement.indexOf('-'));

/**
 * What a deviation is about, each by its name: itself, its requirement and the kind of that (`DIG`), the headers and fields
 * of the requirement, the objects that these stand in, and what the deviation names beyond that.
 */
export const topicsOf = ({ id, requirement, about = [] }: Deviation): ReadonlySet<string> =>
  new Set([
    id,
    requirement,
    kindOf(requirement),
    ...[...(subjects.get(requirement) ?? []), ...about].flatMap(withWholes),
  ]);

/** Checks run side by side: between two requests of one there may be those of another. */
const soonAfter = 3;

/** The sound bank, and the deviant one wherever the condition is met. Only the creation of payments is affected. */
const onlyWhen =
  ({ isMet }: Circumstance, { requirement, title, apply }: Deviation): DesignChange =>
  (design) => {
    const deviant = apply(design);
    const routes = routesOf(deviant);
    const deviantOnes = new WeakSet<BankRequest>();
    return withRoutes((sound) => {
      const memory = { sinceRefusal: Number.POSITIVE_INFINITY, differing: 0, inThisTurn: 0 };
      let firstClient: string | undefined;
      const broken = routes.find(
        ({ operation, path }) => operation === sound.operation && path === sound.path,
      );
      if (broken === undefined || !isCreation(sound.operation)) return sound;
      return {
        ...sound,
        rules: [
          {
            requirement,
            name: title,
            refuses: (request, state) => {
              const usual = verdictOn(request, state, sound, design);
              const other = verdictOn(request, state, broken, deviant);
              memory.inThisTurn += 1;
              firstClient ??= request.header('user-agent');
              setImmediate(() => {
                memory.inThisTurn -= 1;
              });
              const differs = usual?.status !== other?.status || usual?.code !== other?.code;
              const isDeviant = isMet(request, {
                afterRefusal: memory.sinceRefusal < soonAfter,
                together: memory.inThisTurn > 1,
                earlier: memory.differing,
                fromAnotherClient: request.header('user-agent') !== firstClient,
              });
              if (differs) memory.differing += 1;
              if (isDeviant) deviantOnes.add(request);
              const said = isDeviant ? other : usual;
              memory.sinceRefusal = said !== undefined ? 0 : memory.sinceRefusal + 1;
              return said;
            },
          },
        ],
        handle: (request, state) => (deviantOnes.has(request) ? broken : sound).handle(request, state),
      };
    })(design);
  };

function verdictOn(
  request: BankRequest,
  state: BankState,
  { rules }: Route,
  { refusals }: BankDesign,
): Refusal | undefined {
  for (const rule of rules) {
    const fault = rule.refuses(request, state);
    if (fault !== undefined) return refusalOf(fault, refusals);
  }
  return undefined;
}

/** Kinds of requirements on the creation of payments. */
const onPayments: ReadonlySet<string> = new Set([
  ...['NDC', 'HDN', 'REM', 'NCB', 'HDC', 'REG', 'AMT', 'SIG', 'SGS', 'SGH', 'DIG', 'CRT', 'CLK'],
]);
/** Those of other operations: a basket, accounts, the listing, deletion. */
const elsewhere =
  /-at-(?!domestic|cross-border)|-when-named-|\/accounts-with-|compan|\/unattended|\/refused-and-deleted|^SIG-0[12]\/asks-first$|^(?:DIG-09|CRT-05|CRT-09|SGS-16)\/|^CRT-06\/.*is-present$/;

/** Encoded words are tried with one of the products, which any will do for. */
const triedWithOne: ReadonlySet<string> = new Set(['SGH-10', 'SGH-11', 'SGH-15', 'SGH-16']);

/** The product at whose creation it shows, where it shows at one alone. */
function productOf({ requirement, place }: Deviation): Product | undefined {
  if (place !== undefined) return everyProduct.find(({ word }) => word === place);
  if (triedWithOne.has(requirement)) return domestic;
  const [profile, another] = requirementById.get(requirement)?.profiles ?? [];
  return another === undefined ? everyProduct.find((product) => product.profile === profile) : undefined;
}

/** Requirements that something is taken: whoever breaks them refuses it. */
const takings: ReadonlySet<string> = new Set([
  ...['AMT-01', 'AMT-08', 'CLK-01', 'CLK-02', 'CLK-07', 'DIG-01', 'DIG-02', 'DIG-04', 'DIG-08'],
  ...['NCB-65', 'NCB-66', 'NCB-67', 'NCB-68', 'NCB-69', 'REG-03', 'REG-04', 'SGH-10', 'SGH-11'],
  ...['NDC-62', 'NDC-63', 'NDC-64', 'NDC-65', 'NDC-66', 'NDC-67', 'NDC-68', 'NDC-69'],
  ...['SGH-15', 'SGH-16', 'SGS-10', 'SGS-12', 'SGS-16', 'SGS-17'],
]);
const isTooStrict = ({ requirement, isTooStrict: isMarked }: Deviation): boolean =>
  isMarked === true || takings.has(requirement);

/** What is tried once in a run, though its rows do not say so. */
const triedOnce = ['AMT-01/digits-by-intl', 'AMT-03/whole-dinars', 'AMT-08'];

/** Deviations that show in the rules alone: what a bank remembers, or how it answers, has no such conditions. */
function isInTheRules({ apply }: Deviation): boolean {
  const changed = apply(compliantDesign);
  const { adaptState, answers, payments, clockOffsetSeconds, tls } = compliantDesign;
  return (
    changed.adaptState === adaptState &&
    changed.answers === answers &&
    changed.payments === payments &&
    changed.clockOffsetSeconds === clockOffsetSeconds &&
    changed.tls === tls
  );
}

function canBeCombined(
  deviation: Deviation,
  { product, about = [], goesWith = [], onlyForFaults }: Circumstance,
): boolean {
  const own = productOf(deviation);
  const topics = topicsOf(deviation);
  const isAbout = (names: readonly string[]): boolean => names.some((name) => topics.has(name));
  return (
    (own === undefined || product === undefined || own === product) &&
    (!isAbout(about) || isAbout(goesWith)) &&
    !isAbout(triedOnce) &&
    !(isTooStrict(deviation) && onlyForFaults === true)
  );
}

const alsoBroken = (whole: Deviation, condition: Circumstance): readonly string[] => [
  ...(whole.also ?? []),
  ...(isTooStrict(whole) ? (condition.also ?? []) : []),
  // Whoever wants other digits than those of a currency takes the others, more or fewer.
  ...(whole.requirement === 'AMT-01' ? ['AMT-02', 'AMT-03'] : []),
];

/** `NDC-11/one-longer@corporate`: the same deviation, while a condition is met. */
export const conditional = (whole: Deviation, condition: Circumstance): Deviation => ({
  ...whole,
  id: `${whole.id}@${condition.name}`,
  condition: condition.name,
  also: alsoBroken(whole, condition),
  title: `${whole.title}, but only ${condition.title}`,
  apply: onlyWhen(condition, whole),
});

/** Every deviation of the creation of payments under every condition that it can be combined with. */
export const conditionalOnes = (deviations: readonly Deviation[]): readonly Deviation[] =>
  deviations
    .filter(
      ({ id, requirement, needsTls, isAdvisedAgainst, under, inOneContext }) =>
        inOneContext !== true &&
        onPayments.has(kindOf(requirement)) &&
        !elsewhere.test(id) &&
        needsTls !== true &&
        isAdvisedAgainst !== true &&
        under === undefined,
    )
    .filter(isInTheRules)
    .flatMap((whole) =>
      conditions
        .filter((condition) => canBeCombined(whole, condition))
        .map((condition) => conditional(whole, condition)),
    );
