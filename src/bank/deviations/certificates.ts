import type { PspRole, TppCertificate } from '../../signing/certificate.ts';
import { dayMs } from '../../spec/days.ts';
import { defaultProduct } from '../../spec/products.ts';
import {
  type DesignChange,
  serves,
  withLimits,
  withoutRules,
  withRules,
  withState,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState, Rule } from '../design/route.ts';
import {
  alsoAt,
  at,
  atAll,
  type Deviation,
  deviation,
  easilyForgotten,
  inOneContext,
  of,
  overlooking,
  overlooks,
  refuses,
  rows,
} from './deviation.ts';

/** What a bank may look at when it decides whom to trust. */
interface Evidence {
  /** A trusted authority issued it. */
  readonly isIssued: boolean;
  /** Its issuer bears the name of a trusted authority. */
  readonly isKnown: boolean;
  readonly isSelfSigned: boolean;
  /** It was issued with a certificate that was trusted before. */
  readonly isIssuedByTpp: boolean;
}

/** Trust that goes by more, or less, than whether an authority issued it. */
const trusting = (judge: (evidence: Evidence) => boolean): DesignChange =>
  withState((state) => {
    const names = new Set<string>();
    const trusted = new Map<string, TppCertificate>();
    return {
      trust: {
        trusts: (certificate) => {
          const isIssued = state.trust.trusts(certificate);
          if (isIssued) {
            names.add(certificate.issuer);
            trusted.set(certificate.fingerprint256, certificate);
          }
          const { x509 } = certificate;
          return judge({
            isIssued,
            isKnown: names.has(certificate.issuer),
            isSelfSigned: x509.verify(x509.publicKey),
            // Only the signature: whether the certificate is that of an authority is what such a bank forgets.
            isIssuedByTpp: [...trusted.values()].some(
              (tpp) => tpp.subject === certificate.issuer && x509.verify(tpp.publicKey),
            ),
          });
        },
      },
    };
  });

/** Everything that an AISP reads, or one kind of it. */
const lettingPisps =
  (only?: BankOperation): DesignChange =>
  (design) => ({
    ...design,
    roles: (operation) => {
      const roles = design.roles(operation);
      return roles.includes('PSP_AI') && (only ?? operation) === operation ? [...roles, 'PSP_PI'] : roles;
    },
  });

const bothRoles: readonly PspRole[] = ['PSP_PI', 'PSP_AI'];

/** Wants both roles of a TPP, of which one is enough. */
const wantingBothRoles = (requirement: string, operation: BankOperation): DesignChange => {
  const rule: Rule = {
    requirement,
    name: 'a TPP has both roles',
    refuses: ({ certificate }) =>
      certificate === undefined || bothRoles.every((role) => certificate.roles.includes(role))
        ? undefined
        : { status: 403, code: 'FORBIDDEN', text: 'This bank takes TPPs with both roles alone.' },
  };
  return withRules((of, rules) => (of === operation ? [rule, ...rules] : rules));
};

// biome-ignore format: a table
export const certificateDeviations: readonly Deviation[] = [
  ...rows(
    ['CRT-01/by-name', 'trusts whoever bears the name of a trusted authority', trusting(({ isKnown }) => isKnown)],
    ['CRT-01/unknown-pass', 'trusts authorities that it has never heard of', trusting(({ isIssued, isKnown }) => isIssued || !isKnown)],
    ['CRT-01/issued-by-a-tpp', 'trusts what a TPP has issued that it trusts itself', trusting(({ isIssued, isIssuedByTpp }) => isIssued || isIssuedByTpp)],
    ['CRT-01/self-signed', 'trusts a self-signed certificate that bears the name of a trusted authority',
      trusting(({ isIssued, isKnown, isSelfSigned }) => isIssued || (isKnown && isSelfSigned))],
  ),
  ...([['a-month', 'a month', 30], ['a-day', 'a day', 1], ['an-hour', 'an hour', 1 / 24]] as const).flatMap(([name, time, days]) =>
    [
      overlooks(`CRT-02/${name}-of-grace`, `takes a certificate for ${time} after it has expired`,
        ({ certificate }, { clock }) => certificate === undefined ? false : clock.now().getTime() - certificate.notAfter.getTime() < days * dayMs),
      overlooks(`CRT-03/${name}-early`, `takes a certificate ${time} before it is valid`,
        ({ certificate }, { clock }) => certificate === undefined ? false : certificate.notBefore.getTime() - clock.now().getTime() < days * dayMs),
    ]),
  ...alsoAt(
    ['domestic'],
    deviation('CRT-04/any-role', 'lets an AISP create payments',
      (design) =>
        ({
          ...design,
          roles: (operation) => {
            const roles = design.roles(operation);
            return roles.includes('PSP_PI') ? [...roles, 'PSP_AI'] : roles;
          },
        })),
  ),
  overlooks('CRT-04/no-role', 'treats a certificate without any role as one that has every role', ({ certificate }) => certificate?.roles.length === 0),
  ...(['CRT-04', 'CRT-05'] as const).map((requirement) =>
    overlooks(`${requirement}/any-role-at-all`, 'asks whether a TPP has a role, and not which',
      ({ certificate }) => certificate?.roles.includes('PSP_IC') === true)),
  ...rows(
    ['SCA-01/both-roles', 'wants of an AISP that it is a PISP as well', wantingBothRoles('SCA-01', 'listAccounts')],
    ['PAY-01/both-roles', 'wants of a PISP that it is an AISP as well', wantingBothRoles('PAY-01', defaultProduct.creation)],
    ['CRT-05/any-role', 'lets a PISP read accounts', lettingPisps()],
    ['CRT-05/any-role-for-balances', 'lets a PISP read balances', lettingPisps('readBalances')],
  ),
  overlooks('CRT-05/no-role', 'lets a TPP without any role ask for accounts', ({ certificate }) => certificate?.roles.length === 0),
  ...([['user', 'startUserFlow', 'start SCA at GET /v1/user'], ['agreements', 'listAgreements', 'ask for agreements']] as const).map(([what, operation, act]) =>
    overlooks(`CRT-09/${what}`, `lets a TPP without any role ${act}`, at(operation))),
  deviation('CRT-05/any-role-for-transactions', 'lets a PISP read transactions', lettingPisps('readTransactions')),
];

const behind = (seconds: number) => withLimits({ clockDeviationBehindSeconds: seconds });
const ahead = (seconds: number) => withLimits({ clockDeviationAheadSeconds: seconds });

/** Seconds by which the Date of a request is ahead of the bank's clock. */
const secondsAhead = (request: BankRequest, { clock }: BankState): number =>
  (Date.parse(request.header('date') ?? '') - clock.now().getTime()) / 1000;

const overlookingAt = (
  requirement: string,
  operation: BankOperation,
  isNear: (seconds: number) => boolean,
): DesignChange =>
  overlooking(
    of(requirement),
    (request, state) => request.operation === operation && isNear(secondsAhead(request, state)),
  );

/** Nothing but what is left of the difference after so many hours counts. */
const moduloHours =
  (hours: number) =>
  (request: BankRequest, state: BankState): boolean => {
    const rest = Math.abs(secondsAhead(request, state)) % (hours * 3600);
    return Math.min(rest, hours * 3600 - rest) <= 60;
  };

/** How far the clocks of Norway are ahead of UTC, in summer and in winter. */
function osloSeconds(now: Date): number {
  const local = now.toLocaleString('sv-SE', { timeZone: 'Europe/Oslo' });
  return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - now.getTime()) / 1000);
}

const isLocalTime = (request: BankRequest, state: BankState): boolean =>
  Math.abs(secondsAhead(request, state) - osloSeconds(state.clock.now())) <= 60;

// biome-ignore format: a table
export const clockDeviations: readonly Deviation[] = [
  ...(['readPaymentStatus', 'readBalances', 'listAgreements'] as const).flatMap((operation) =>
    [
      refuses(`CLK-01/30-seconds-at-${operation}`, `takes a Date no more than 30 seconds behind its clock (${operation})`,
        [operation], (request, state) => secondsAhead(request, state) < -30),
      refuses(`CLK-02/30-seconds-at-${operation}`, `takes a Date no more than 30 seconds ahead of its clock (${operation})`,
        [operation], (request, state) => secondsAhead(request, state) > 30),
      deviation(`CLK-03/300-seconds-at-${operation}`, `takes a Date 300 seconds behind its clock (${operation})`,
        overlookingAt('CLK-03', operation, (seconds) => seconds > -300)),
      deviation(`CLK-04/300-seconds-at-${operation}`, `takes a Date 300 seconds ahead of its clock (${operation})`,
        overlookingAt('CLK-04', operation, (seconds) => seconds < 300)),
    ]),
  ...inOneContext(
    ...(['CLK-03', 'CLK-04'] as const).flatMap((requirement) =>
      [
        overlooks(`${requirement}/time-of-day`, 'compares the time of day and not the day', moduloHours(24)),
        overlooks(`${requirement}/twelve-hours`, 'does not tell the morning from the afternoon', moduloHours(12)),
      ]),
    overlooks('CLK-03/any-year', 'compares the day and the time and not the year', moduloHours(365 * 24)),
    overlooks('CLK-04/local-time', 'takes the time of Norway for that of Greenwich', isLocalTime),
  ),
  ...[75, 90, 300].flatMap((seconds) =>
    [
      deviation(`CLK-03/${seconds}-seconds`, `takes a Date ${seconds} seconds behind its clock`, behind(seconds)),
      deviation(`CLK-04/${seconds}-seconds`, `takes a Date ${seconds} seconds ahead of its clock`, ahead(seconds)),
    ]),
  ...[30, 50].flatMap((seconds) =>
    [
      deviation(`CLK-01/${seconds}-seconds`, `takes a Date no more than ${seconds} seconds behind its clock`, behind(seconds)),
      deviation(`CLK-02/${seconds}-seconds`, `takes a Date no more than ${seconds} seconds ahead of its clock`, ahead(seconds)),
    ]),
  ...([
    ['CLK-03', 'takes a Date of any time that is past'],
    ['CLK-04', 'takes a Date of any time to come'],
    ['CRT-01', 'trusts every authority'],
    ['CRT-02', 'takes certificates that have expired'],
  ] as const).flatMap(([requirement, title]) =>
    [...easilyForgotten, ['transactions', 'readTransactions'] as const].map(([place, at]) =>
      deviation(`${requirement}/unchecked-at-${place}`, `${title} (${place})`, withoutRules((rule, operation) => operation === at && serves(rule, requirement))))),
  ...alsoAt(atAll, deviation('CLK-02/past-only', 'takes no Date that is ahead of its clock', ahead(1))),
  ...alsoAt(atAll, deviation('CLK-01/future-only', 'takes no Date that is behind its clock', behind(1))),
];
