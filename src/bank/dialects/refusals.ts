import { creations } from '../../spec/products.ts';
import { signingRequirements } from '../../spec/requirements/signing.ts';
import {
  type DesignChange,
  knowingSessions,
  serves,
  withRefusalKind,
  withRules,
} from '../design/design-changes.ts';
import { type RefusalKind, refusalKinds } from '../design/refusal-kinds.ts';
import type { BankOperation, Rule } from '../design/route.ts';
import { type Dialect, dialect, independent } from './dialect.ts';

/** What is not offered is told by 404 and 405 (RFC 9110): another status would say that it is there. */
const notOffered: readonly RefusalKind[] = ['pathUnknown', 'methodUnknown'];

/** Kinds whose status the bank may choose. */
const free = (Object.keys(refusalKinds) as RefusalKind[]).filter(
  (kind) => !('fixedBy' in refusalKinds[kind]) && !notOffered.includes(kind),
);

const allAnswered =
  (status: number): DesignChange =>
  (design) =>
    free.reduce((changed, kind) => withRefusalKind(kind, { status })(changed), design);

const statuses: readonly Dialect[] = [400, 403, 404, 406, 409, 415, 422, 451].map((status) =>
  dialect(`statuses/${status}`, `refuses with ${status} wherever it may choose`, allAnswered(status)),
);

const shown: readonly BankOperation[] = [...creations, 'createSigningBasket', 'listSandboxCustomers'];

const asksWho = (rule: Rule): boolean => rule.asksWho === true;

const ofSigning: ReadonlySet<string> = new Set(signingRequirements.map(({ id }) => id));
const isOfSigning = ({ requirement }: Rule): boolean => ofSigning.has(requirement);

const ordered = (order: (rules: readonly Rule[]) => readonly Rule[]): DesignChange =>
  withRules((operation, rules) =>
    shown.includes(operation)
      ? [...rules.filter(asksWho), ...order(rules.filter((rule) => !asksWho(rule)))]
      : rules,
  );

const orders: readonly Dialect[] = [
  dialect(
    'order/reversed',
    'checks everything in the opposite order',
    ordered((rules) => rules.toReversed()),
  ),
  dialect(
    'order/body-first',
    'checks headers and body before the signature',
    ordered((rules) => [...rules.filter((rule) => !isOfSigning(rule)), ...rules.filter(isOfSigning)]),
  ),
  dialect(
    'order/alphabetical',
    'checks everything in the order of requirement ids',
    ordered((rules) => rules.toSorted((a, b) => a.requirement.localeCompare(b.requirement))),
  ),
];

/** The session that a newer one has ended is refused without a link: it is over, whatever SCA would bring. */
const endedWithoutLink: DesignChange = knowingSessions((wasPassed) =>
  withRules((_, rules) =>
    rules.map((rule) =>
      serves(rule, 'SES-03')
        ? {
            ...rule,
            refuses: (request, state) => {
              const refusal = rule.refuses(request, state);
              if (refusal === undefined || !wasPassed(request)) return refusal;
              const { links: _, headers: __, ...bare } = refusal;
              return { ...bare, status: 403, code: 'SCA_INVALID' };
            },
          }
        : rule,
    ),
  ),
);

export const refusalDialects: readonly Dialect[] = [
  ...statuses,
  independent(
    'statuses/certificate-401',
    'answers 401 to a certificate that it does not take, without a scaRedirect link',
    withRefusalKind('certificate', { status: 401 }),
    withRefusalKind('role', { status: 401 }),
    withRefusalKind('certificateUnreadable', { status: 401 }),
  ),
  independent(
    'statuses/clock-401',
    'answers 401 to a Date that is off',
    withRefusalKind('clock', { status: 401 }),
  ),
  ...orders,
  independent(
    'sessions/ended-403',
    'answers 403 without a link in a session that a newer one has ended',
    endedWithoutLink,
  ),
];
