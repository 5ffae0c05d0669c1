import { isCreation, type Product, products } from '../../spec/products.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withRoutes } from '../design/design-changes.ts';
import { type BankRequest, type BankState, type Refusal, type Route, refusalOf } from '../design/route.ts';
import { type Condition, conditions } from './conditions.ts';
import type { Deviation } from './deviation.ts';
import { topicsOf } from './topics.ts';

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
              const isDeviant = isMet({
                request,
                differs,
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

/** Requirements on one product begin with these; the others are on every payment. */
const ofOneProduct: readonly [prefix: RegExp, product: Product][] = [
  [/^(?:NCB|HDC|REG)-|-at-cross-border(?:-|$)/, products.crossBorder],
  // Encoded words are tried with one of them, which any will do for.
  [/^(?:NDC|HDN|REM|SGH-1[0156])[-/]|-at-domestic(?:-|$)/, products.domestic],
];
const onPayments = /^(?:NDC|HDN|REM|NCB|HDC|REG|AMT|SIG|SGS|SGH|DIG|CRT|CLK)-/;
/** Those of other operations: a basket, accounts, the listing, deletion. */
const elsewhere =
  /-at-(?!domestic|cross-border)|-when-named-|\/accounts-with-|compan|\/unattended|\/refused-and-deleted|^SIG-0[12]\/asks-first$|^(?:DIG-09|CRT-05|CRT-09|SGS-16)\/|^CRT-06\/.*is-present$/;

const productOf = (id: string): Product | undefined => ofOneProduct.find(([prefix]) => prefix.test(id))?.[1];

/** Ways to refuse what has to be taken; all the others take what has to be refused, or refuse it wrongly. */
const tooStrict =
  /^(?:AMT-01|AMT-08|SGH-1[0156]|SGS-1[0267]|DIG-0[1248]|CLK-0[127]|NDC-6[2-9]|NCB-6[5-9]|REG-0[34])\/|\/(?:(?:one|ten)-shorter|shorter-in-|not-|demands-|demanded|refused|crowded|in-bytes)/;

/**
 * Of long lists each value is sent once in a run: in one context, which changes from run to run, and never a second time.
 * To send all of them in each would cost more requests than the rest of a run.
 */
const longLists = [
  'instructedAmount.currency',
  'creditorAccount.currency',
  'debtorAccount.currency',
  'creditorAddress.country',
  'regulatoryReportingCode',
  'REG-04',
];
const isOfALongList = (id: string, isAbout: (names: readonly string[]) => boolean): boolean =>
  (/\/(?:also|not|part-of)-/.test(id) && isAbout(longLists)) ||
  (id.includes('/not-') && isAbout(['purposeCode'])) ||
  id.startsWith('AMT-04/numbers-in-') ||
  isAbout(['AMT-01/digits-by-intl', 'AMT-03/whole-dinars', 'AMT-08']);

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

function canBeCombined(
  deviation: Deviation,
  { product, about = [], goesWith = [], onlyForFaults }: Condition,
): boolean {
  const { id } = deviation;
  const own = productOf(id);
  const topics = topicsOf(deviation);
  const isAbout = (names: readonly string[]): boolean => names.some((name) => topics.has(name));
  return (
    (own === undefined || product === undefined || own === product) &&
    (!isAbout(about) || isAbout(goesWith)) &&
    !isOfALongList(id, isAbout) &&
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
