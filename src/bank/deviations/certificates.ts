import type { PspRole, TppCertificate } from '../../signing/certificate.ts';
import { dayMs } from '../../spec/days.ts';
import { defaultProduct } from '../../spec/products.ts';
import { type DesignChange, withLimits, withRules, withState } from '../design/design-changes.ts';
import type { BankOperation, Rule } from '../design/route.ts';
import { at, atAll, type Condition, each, easilyForgotten, once, serving, table } from './deviation.ts';

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
  withState(({ trust }) => {
    const names = new Set<string>();
    const trusted = new Map<string, TppCertificate>();
    return {
      trust: {
        trusts: (certificate) => {
          const { x509, issuer, fingerprint256 } = certificate;
          const isIssued = trust.trusts(certificate);
          if (isIssued) {
            names.add(issuer);
            trusted.set(fingerprint256, certificate);
          }
          return judge({
            isIssued,
            isKnown: names.has(issuer),
            isSelfSigned: x509.verify(x509.publicKey),
            // Only the signature: whether the certificate is that of an authority is what such a bank forgets.
            isIssuedByTpp: [...trusted.values()].some(
              (tpp) => tpp.subject === issuer && x509.verify(tpp.publicKey),
            ),
          });
        },
      },
    };
  });

/** Whoever has one role is taken for one that has the other as well, everywhere or at one operation. */
const letting =
  (role: PspRole, other: PspRole, only?: BankOperation): DesignChange =>
  (design) => ({
    ...design,
    roles: (operation) => {
      const roles = design.roles(operation);
      return roles.includes(other) && (only ?? operation) === operation ? [...roles, role] : roles;
    },
  });

/** Wants both roles of a TPP, of which one is enough. */
const wantingBothRoles = (requirement: string, operation: BankOperation): DesignChange => {
  const rule: Rule = {
    requirement,
    name: 'a TPP has both roles',
    refuses: ({ certificate }) =>
      certificate === undefined || (hasRole(certificate, 'PSP_PI') && hasRole(certificate, 'PSP_AI'))
        ? undefined
        : { status: 403, code: 'FORBIDDEN', text: 'This bank takes TPPs with both roles alone.' },
  };
  return withRules((at, rules) => (at === operation ? [rule, ...rules] : rules));
};

const hasRole = ({ roles }: TppCertificate, role: PspRole): boolean => roles.includes(role);

const certified =
  (isMeant: (certificate: TppCertificate, now: number) => boolean): Condition =>
  ({ certificate }, { clock }) =>
    certificate !== undefined && isMeant(certificate, clock.now().getTime());

const hasNoRole = certified(({ roles }) => roles.length === 0);

// biome-ignore format: a table
export const certificateDeviations = table(
  ['CRT-01/by-name', 'trusts whoever bears the name of a trusted authority', trusting(({ isKnown }) => isKnown)],
  ['CRT-01/unknown-pass', 'trusts authorities that it has never heard of', trusting(({ isIssued, isKnown }) => isIssued || !isKnown)],
  ['CRT-01/issued-by-a-tpp', 'trusts what a TPP has issued that it trusts itself', trusting(({ isIssued, isIssuedByTpp }) => isIssued || isIssuedByTpp)],
  ['CRT-01/self-signed', 'trusts a self-signed certificate that bears the name of a trusted authority', trusting(({ isIssued, isKnown, isSelfSigned }) => isIssued || (isKnown && isSelfSigned))],
  each([['a-month', 30], ['a-day', 1], ['an-hour', 1 / 24]], (name, days) => table(
    [`CRT-02/${name}-of-grace`, `takes a certificate for ${name.replace('-', ' ')} after it has expired`, { overlook: certified(({ notAfter }, now) => now - notAfter.getTime() < days * dayMs) }],
    [`CRT-03/${name}-early`, `takes a certificate ${name.replace('-', ' ')} before it is valid`, { overlook: certified(({ notBefore }, now) => notBefore.getTime() - now < days * dayMs) }])),
  ['CRT-04/any-role', 'lets an AISP create payments', letting('PSP_AI', 'PSP_PI'), { alsoAt: ['domestic'] }],
  ['CRT-04/no-role', 'treats a certificate without any role as one that has every role', { overlook: hasNoRole }],
  each(['CRT-04', 'CRT-05'], (requirement) => [`${requirement}/any-role-at-all`, 'asks whether a TPP has a role, and not which', { overlook: certified((certificate) => hasRole(certificate, 'PSP_IC')) }]),
  ['SCA-01/both-roles', 'wants of an AISP that it is a PISP as well', wantingBothRoles('SCA-01', 'listAccounts')],
  ['PAY-01/both-roles', 'wants of a PISP that it is an AISP as well', wantingBothRoles('PAY-01', defaultProduct.creation)],
  ['CRT-05/any-role', 'lets a PISP read accounts', letting('PSP_PI', 'PSP_AI')],
  ['CRT-05/any-role-for-balances', 'lets a PISP read balances', letting('PSP_PI', 'PSP_AI', 'readBalances')],
  ['CRT-05/no-role', 'lets a TPP without any role ask for accounts', { overlook: hasNoRole }],
  each([['user', 'startUserFlow', 'start SCA at GET /v1/user'], ['agreements', 'listAgreements', 'ask for agreements']], (what, operation, act) =>
    [`CRT-09/${what}`, `lets a TPP without any role ${act}`, { overlook: at(operation) }]),
  ['CRT-05/any-role-for-transactions', 'lets a PISP read transactions', letting('PSP_PI', 'PSP_AI', 'readTransactions')],
);

const behind = (seconds: number) => withLimits({ clockDeviationBehindSeconds: seconds });
const ahead = (seconds: number) => withLimits({ clockDeviationAheadSeconds: seconds });

/** How far the Date of a request is ahead of the bank's clock. */
export const dated =
  (isMeant: (secondsAhead: number, now: Date) => boolean, operation?: BankOperation): Condition =>
  (request, { clock }) => {
    const now = clock.now();
    const seconds = (Date.parse(request.header('date') ?? '') - now.getTime()) / 1000;
    return (operation ?? request.operation) === request.operation && isMeant(seconds, now);
  };

/** Nothing but what is left of the difference after so many hours counts. */
const moduloHours = (hours: number): Condition =>
  dated((seconds) => {
    const rest = Math.abs(seconds) % (hours * 3600);
    return Math.min(rest, hours * 3600 - rest) <= 60;
  });

/** How far the clocks of Norway are ahead of UTC, in summer and in winter. */
function osloSeconds(now: Date): number {
  const local = now.toLocaleString('sv-SE', { timeZone: 'Europe/Oslo' });
  return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - now.getTime()) / 1000);
}

// biome-ignore format: a table
export const clockDeviations = table(
  each(['readPaymentStatus', 'readBalances', 'listAgreements'], (operation) => table(
    [`CLK-01/30-seconds-at-${operation}`, `takes a Date no more than 30 seconds behind its clock (${operation})`, { refuse: dated((seconds) => seconds < -30), at: [operation] }],
    [`CLK-02/30-seconds-at-${operation}`, `takes a Date no more than 30 seconds ahead of its clock (${operation})`, { refuse: dated((seconds) => seconds > 30), at: [operation] }],
    [`CLK-03/300-seconds-at-${operation}`, `takes a Date 300 seconds behind its clock (${operation})`, { overlook: dated((seconds) => seconds > -300, operation) }],
    [`CLK-04/300-seconds-at-${operation}`, `takes a Date 300 seconds ahead of its clock (${operation})`, { overlook: dated((seconds) => seconds < 300, operation) }])),
  each(['CLK-03', 'CLK-04'], (requirement) => table(
    [`${requirement}/time-of-day`, 'compares the time of day and not the day', { overlook: moduloHours(24) }, once],
    [`${requirement}/twelve-hours`, 'does not tell the morning from the afternoon', { overlook: moduloHours(12) }, once])),
  ['CLK-03/any-year', 'compares the day and the time and not the year', { overlook: moduloHours(365 * 24) }, once],
  ['CLK-04/local-time', 'takes the time of Norway for that of Greenwich', { overlook: dated((seconds, now) => Math.abs(seconds - osloSeconds(now)) <= 60) }, once],
  each([75, 90, 300], (seconds) => table(
    [`CLK-03/${seconds}-seconds`, `takes a Date ${seconds} seconds behind its clock`, behind(seconds)],
    [`CLK-04/${seconds}-seconds`, `takes a Date ${seconds} seconds ahead of its clock`, ahead(seconds)])),
  each([30, 50], (seconds) => table(
    [`CLK-01/${seconds}-seconds`, `takes a Date no more than ${seconds} seconds behind its clock`, behind(seconds)],
    [`CLK-02/${seconds}-seconds`, `takes a Date no more than ${seconds} seconds ahead of its clock`, ahead(seconds)])),
  each([['CLK-03', 'takes a Date of any time that is past'], ['CLK-04', 'takes a Date of any time to come'], ['CRT-01', 'trusts every authority'], ['CRT-02', 'takes certificates that have expired']], (requirement, title) =>
    each([...easilyForgotten, ['transactions', 'readTransactions']], (place, operation) => [`${requirement}/unchecked-at-${place}`, `${title} (${place})`, { overlook: at(operation), rules: serving }])),
  ['CLK-02/past-only', 'takes no Date that is ahead of its clock', ahead(1), { alsoAt: atAll }],
  ['CLK-01/future-only', 'takes no Date that is behind its clock', behind(1), { alsoAt: atAll }],
);
