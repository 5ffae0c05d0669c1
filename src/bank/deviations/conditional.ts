import { has, isObject, textAt } from '../../spec/json.ts';
import { isCreation, type Product, products } from '../../spec/products.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withRoutes } from '../design/design-changes.ts';
import { type BankRequest, type BankState, type Refusal, type Route, refusalOf } from '../design/route.ts';
import type { Deviation } from './deviation.ts';

/** One request, and what the sound bank and the deviant one would say to it. */
interface Seen {
  readonly request: BankRequest;
  /** Whether the two differ, so that the request is one that the deviation is about. */
  readonly differs: boolean;
  /** Whether one of the few requests before was refused. */
  readonly afterRefusal: boolean;
  /** Whether others came at the same time. */
  readonly together: boolean;
  /** How many requests that the deviation is about came before. */
  readonly earlier: number;
}

/** A circumstance in which a plausible bug shows, while everything else goes on as it should. */
export interface Condition {
  /** The end of the id: `NDC-11/one-longer@corporate`. */
  readonly name: string;
  /** The end of the sentence: `takes a creditorName of 71 characters, but only …`. */
  readonly title: string;
  /** Only payments of this product can meet it. */
  readonly product?: Product;
  /** What it speaks of by itself, so that it cannot be combined with a deviation that is about the same. */
  readonly about?: RegExp;
  /** What is said of requests that meet it: broken as well where the deviation refuses them. */
  readonly also?: readonly string[];
  /** Nothing says that a bank takes everything so, and checks that something is taken do not ask for it. */
  readonly onlyForFaults?: true;
  readonly isMet: (seen: Seen) => boolean;
}

const isThere =
  (...path: readonly string[]) =>
  ({ request }: Seen): boolean => {
    let value: unknown = request.body;
    for (const step of path) value = isObject(value) ? value[step] : undefined;
    return value !== undefined;
  };

/** An agent is not among them: payments to some accounts need one. */
const optionalMembers = ['purposeCode', 'requestedExecutionDate', 'ultimateDebtor'];

/** Deviations that show where there is a date or several optional fields, and do not name them; or where one is alone. */
const ofOptionalMembers =
  'dates|days that no calendar has|another date|three optional fields|texts together|takes no creditorAgent';

export const conditions: readonly Condition[] = [
  {
    name: 'corporate',
    title: 'for a company',
    // A card is that of a private PSU, and the header that SGS-09 lists without sending it is sent for a company. Where a
    // bank objects to the account of a company, the account may be wrong, and nothing is judged.
    about:
      /PSU-Corporate-ID|psu-corporate-id|PSU-Context|X-PSU-IDENTITY|debtorAccount\.other|bban and other|card account|demands debtorAccount|^SGS-09/,
    also: ['COR-02'],
    isMet: ({ request }) => request.header('psu-corporate-id') !== undefined,
  },
  {
    name: 'iban',
    title: 'when the debtor account is given as IBAN',
    product: products.crossBorder,
    // Another fault of the account next to an IBAN would be two of them; its currency goes with each form.
    about: /debtorAccount(?!\.currency)/,
    also: ['NCB-67'],
    isMet: isThere('debtorAccount', 'iban'),
  },
  {
    name: 'card',
    title: 'when a card account is debited',
    product: products.domestic,
    // A company has no card, and accounts are as above.
    about: /debtorAccount(?!\.currency)|^SGS-05/,
    also: ['NDC-62'],
    onlyForFaults: true,
    isMet: isThere('debtorAccount', 'other'),
  },
  {
    name: 'sha-512',
    title: 'when the Digest is made with SHA-512',
    about: /^DIG|[Dd]igest|SHA-256/,
    also: ['DIG-02'],
    isMet: ({ request }) => /^sha-512=/i.test(request.header('digest') ?? ''),
  },
  {
    name: 'encoded-signature',
    title: 'when the Signature header is an encoded word',
    about: /Signature header|Signature is present|^SIG-01/,
    onlyForFaults: true,
    isMet: ({ request }) => request.header('signature')?.startsWith('=?') === true,
  },
  {
    name: 'several-references',
    title: 'when there are several references',
    product: products.domestic,
    about: /remittance|eference/,
    also: ['NDC-65'],
    isMet: ({ request: { body } }) =>
      isObject(body) &&
      Array.isArray(body['remittanceInformationStructuredArray']) &&
      body['remittanceInformationStructuredArray'].length > 1,
  },
  ...['purposeCode', 'requestedExecutionDate'].map(
    (member): Condition => ({
      name: `with-${member}`,
      title: `when ${member} is there`,
      about: new RegExp(`${member}|${ofOptionalMembers}`),
      also: ['NDC-69', 'NCB-69'],
      isMet: isThere(member),
    }),
  ),
  {
    name: 'bare',
    title: 'when there are no optional fields',
    // Whoever has a fault in one of them has one of them, unless the fault is that it is demanded.
    about: new RegExp(`^(?!.*/demands-).*(?:${optionalMembers.join('|')}|${ofOptionalMembers})`),
    also: ['NDC-69', 'NCB-69'],
    isMet: ({ request: { body } }) => !optionalMembers.some((member) => has(body, member)),
  },
  {
    name: 'spaced',
    title: 'when the body has white space in it',
    about: /JSON|UTF-8|[Dd]igest/,
    also: ['DIG-04'],
    isMet: ({ request: { bytes } }) => /[\n\t]|" ?: |, "/.test(bytes.toString('utf8')),
  },
  {
    name: 'optional-headers',
    title: 'when the optional headers are there',
    about: /PSU-Geo-Location/,
    also: ['HDN-02', 'HDC-02'],
    isMet: ({ request }) => request.header('psu-geo-location') !== undefined,
  },
  {
    name: 'lower-case-names',
    title: 'when header names are in lower case',
    onlyForFaults: true,
    isMet: ({ request: { headerNames } }) => headerNames.every((name) => name === name.toLowerCase()),
  },
  {
    name: 'charset',
    title: 'when Content-Type has a charset',
    about: /XML|JSON|UTF|ontent-Type|pain/,
    onlyForFaults: true,
    isMet: ({ request }) => /charset/i.test(request.header('content-type') ?? ''),
  },
  {
    name: 'with-query',
    title: 'when duplicates are allowed',
    about: /allowLogicalDuplicate|uplicate|request-target|query/,
    onlyForFaults: true,
    isMet: ({ request }) => request.query.has('allowLogicalDuplicate'),
  },
  {
    name: 'psu-context',
    title: 'when PSU-Context is PRIVATE',
    // SGS-05 is about the header of a company.
    about: /PSU-Corporate-ID|psu-corporate-id|PSU-Context|X-PSU-IDENTITY|^SGS-05/,
    onlyForFaults: true,
    isMet: ({ request }) => request.header('psu-context') === 'PRIVATE',
  },
  {
    name: 'euro',
    title: 'when the amount is in EUR',
    product: products.crossBorder,
    about: /mount|currenc|^REG|^AMT|minor|digits/,
    onlyForFaults: true,
    isMet: ({ request: { body } }) => textAt(body, 'instructedAmount', 'currency') === 'EUR',
  },
  {
    name: 'creditor-bban',
    title: 'when the creditor account is given as BBAN',
    product: products.crossBorder,
    about: /creditorAccount|creditorAgent/,
    onlyForFaults: true,
    isMet: isThere('creditorAccount', 'bban'),
  },
  {
    name: 'after-refusal',
    title: 'in the three requests after one that it has refused',
    // What has to be taken comes right after a refusal in a run, among the requests of other checks: here they are not sent.
    onlyForFaults: true,
    isMet: ({ afterRefusal }) => afterRefusal,
  },
  { name: 'together', title: 'when other requests come at the same time', isMet: ({ together }) => together },
  { name: 'second-time', title: 'from the second time on', isMet: ({ earlier }) => earlier > 0 },
];

/** Checks run side by side: between two requests of one there may be those of another. */
const soonAfter = 3;

/** The sound bank, and the deviant one wherever the condition is met. Only the creation of payments is affected. */
const onlyWhen =
  ({ isMet }: Condition, { requirement, title, apply }: Deviation): DesignChange =>
  (design) => {
    const deviant = apply(design);
    const routes = routesOf(deviant);
    const deviantOnes = new WeakSet<BankRequest>();
    return withRoutes((sound) => {
      const memory = { sinceRefusal: Number.POSITIVE_INFINITY, differing: 0, inThisTurn: 0 };
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
              setImmediate(() => {
                memory.inThisTurn -= 1;
              });
              const differs = usual?.status !== other?.status || usual?.code !== other?.code;
              const isDeviant = isMet({
                request,
                differs,
                afterRefusal: memory.sinceRefusal < soonAfter,
                together: memory.inThisTurn > 1,
                earlier: memory.differing,
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

/** Requirements on one product begin with these; the others are on every payment. */
const ofOneProduct: readonly [prefix: RegExp, product: Product][] = [
  [/^(?:NCB|HDC|REG)-|-at-cross-border(?:-|$)/, products.crossBorder],
  // Encoded words are tried with one of them, which any will do for.
  [/^(?:NDC|HDN|REM|SGH-1[0156])[-/]|-at-domestic(?:-|$)/, products.domestic],
];
const onPayments = /^(?:NDC|HDN|REM|NCB|HDC|REG|AMT|SIG|SGS|SGH|DIG|CRT|CLK)-/;
/** Those of other operations: a basket, accounts, the listing, deletion. */
const elsewhere =
  /-at-(?!domestic|cross-border)|-when-named-|compan|\/refused-and-deleted|^(?:DIG-09|CRT-05|SGS-16)\/|^CRT-06\/.*is-present$/;

const productOf = (id: string): Product | undefined => ofOneProduct.find(([prefix]) => prefix.test(id))?.[1];

/** Ways to refuse what has to be taken; all the others take what has to be refused, or refuse it wrongly. */
const tooStrict =
  /^(?:AMT-01|AMT-08|SGH-1[0156]|SGS-1[026]|DIG-0[1248]|CLK-0[127]|NDC-6[2-9]|NCB-6[5-9]|REG-0[34])\/|\/(?:one-shorter|not-|demands-|demanded|refused|crowded)/;

/**
 * Of long lists each value is sent once in a run: in one context, which changes from run to run, and never a second time.
 * To send all of them in each would cost more requests than the rest of a run.
 */
const ofALongList =
  /\/(?:also|not)-.* (?:instructedAmount\.currency|creditorAccount\.currency|debtorAccount\.currency|\S*country|regulatoryReportingCode|reporting code)|\/not-.* purposeCode|^AMT-01\/digits-by-intl|^AMT-08/;

/** They show with some of the optional fields, which stand in one row of contexts, and the condition may be in the other. */
const inOneRow = /^(?:NCB-69\/country-alone|NCB-65\/with-an-address|NDC-67\/with-a-date)$/;

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

function canBeCombined({ id, title }: Deviation, { product, about, onlyForFaults }: Condition): boolean {
  const own = productOf(id);
  const whole = `${id} ${title}`;
  return (
    (own === undefined || product === undefined || own === product) &&
    about?.test(whole) !== true &&
    !ofALongList.test(whole) &&
    !inOneRow.test(id) &&
    !(tooStrict.test(id) && onlyForFaults === true)
  );
}

/** Whoever wants other digits than those of a currency takes the others, more or fewer. */
const wantsOtherDigits = /^AMT-01\//;

const alsoBroken = ({ id, also = [] }: Deviation, condition: Condition): readonly string[] => [
  ...also,
  ...(tooStrict.test(id) ? (condition.also ?? []) : []),
  ...(wantsOtherDigits.test(id) ? ['AMT-02', 'AMT-03'] : []),
];

/** `NDC-11/one-longer@corporate`: the same deviation, while a condition is met. */
export const conditional = (whole: Deviation, condition: Condition): Deviation => ({
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
      ({ id, needsTls, isAdvisedAgainst, under, inOneContext }) =>
        inOneContext !== true &&
        onPayments.test(id) &&
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
