import { setTimeout as sleep } from 'node:timers/promises';
import type { Body, Field } from '../../spec/field.ts';
import { isObject } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import type { ActingPsu } from '../state/customers.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { Answers, BankDesign, BankLimits, PaymentDesign } from './design.ts';
import type { RefusalAnswer, RefusalKind } from './refusal-kinds.ts';
import type { Mistake } from './requests.ts';
import type {
  BankAnswer,
  BankOperation,
  BankRequest,
  BankState,
  RawResponse,
  Refusal,
  Route,
  Rule,
} from './route.ts';

/** What a deviation or a dialect is: one design made from another. */
export type DesignChange = (design: BankDesign) => BankDesign;

/** Parts of the design that are others. */
export const differing =
  (changes: Partial<BankDesign> | ((design: BankDesign) => Partial<BankDesign>)): DesignChange =>
  (design) => ({ ...design, ...(typeof changes === 'function' ? changes(design) : changes) });

/** Changes one after the other. */
export const allOf =
  (...changes: readonly DesignChange[]): DesignChange =>
  (design) =>
    changes.reduce((changed, change) => change(changed), design);

/** A change that remembers something of each bank that it is made to. */
export const perBank =
  (make: () => DesignChange): DesignChange =>
  (design) =>
    make()(design);

/** What has been created so far of what requests are about; `undefined` is about nothing. */
export const rememberingCreated = <Value>(
  keyOf: (request: BankRequest, answer: BankAnswer) => string | undefined,
  readFrom: (request: BankRequest, before: Value | undefined) => Value,
  change: (known: ReadonlyMap<string, Value>) => DesignChange,
): DesignChange =>
  perBank(() => {
    const known = new Map<string, Value>();
    const remember = withAnswers(creations, (answer, request) => {
      const key = answer.status === 201 ? keyOf(request, answer) : undefined;
      if (key !== undefined) known.set(key, readFrom(request, known.get(key)));
      return answer;
    });
    return allOf(change(known), remember);
  });

/** What comes again, whatever became of it the first time. */
export const comingAgain = (
  keyOf: (request: BankRequest) => string,
  change: (isAgain: (request: BankRequest) => boolean) => DesignChange,
): DesignChange =>
  perBank(() => {
    const seen = new Set<string>();
    return change((request) => seen.size === seen.add(keyOf(request)).size);
  });

/** Whether a rule stands for a requirement, by itself or next to others. */
export const serves = (rule: Rule, requirement: string): boolean =>
  rule.requirement === requirement || (rule.also ?? []).includes(requirement);

/** Takes rules away: `withoutRules((rule) => serves(rule, 'DIG-03'))`. */
export const withoutRules = (isDropped: (rule: Rule, operation: BankOperation) => boolean): DesignChange =>
  withRules((operation, rules) => rules.filter((rule) => !isDropped(rule, operation)));

/** Changes the rules of every operation, after all other changes to them. */
export const withRules =
  (adapt: BankDesign['adaptRules']): DesignChange =>
  (design) => ({
    ...design,
    adaptRules: (operation, rules) => adapt(operation, design.adaptRules(operation, rules)),
  });

/** Which operations: some of them, or those that a condition names. */
type Where = readonly BankOperation[] | ((operation: BankOperation) => boolean);
const isWithin = (where: Where, operation: BankOperation): boolean =>
  typeof where === 'function' ? where(operation) : where.includes(operation);

/** Every operation of the interface: not the pages of SCA. */
export const anyOperation = (operation: BankOperation): boolean => operation !== 'page';

/** Where among the rules of an operation a further one is tried. */
export type Place = (rules: readonly Rule[]) => number;
export const first: Place = () => 0;
export const last: Place = ({ length }) => length;
export const before =
  (requirement: string): Place =>
  (rules) =>
    rules.findIndex((rule) => serves(rule, requirement));
export const after =
  (requirement: string): Place =>
  (rules) =>
    before(requirement)(rules) + 1;

/** A refusal of the bank's own choice: the specification allows it and does not demand it. */
export const byChoice = (
  where: Where,
  refuses: Rule['refuses'],
  { tried = last, ...more }: Partial<Rule> & { readonly tried?: Place } = {},
): DesignChange => {
  const rule: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    name: 'a choice of this bank',
    refuses,
    ...more,
  };
  return withRules((operation, rules) =>
    isWithin(where, operation) ? rules.toSpliced(tried(rules), 0, rule) : rules,
  );
};

/** The same by a condition, after all that the specification demands. */
export const alsoRefusing = (
  where: Where,
  isRefused: (request: BankRequest, state: BankState) => boolean,
  status = 400,
  code: RefusalAnswer['code'] = 'FORMAT_ERROR',
): DesignChange =>
  byChoice(where, (request, state) =>
    isRefused(request, state) ? { status, code, text: 'This bank is strict.' } : undefined,
  );

/** Changes what some rules say of a request. */
export const withVerdicts = (
  matchesId: (rule: Rule, operation: BankOperation) => boolean,
  verdictOf: (
    refuses: Rule['refuses'],
    request: BankRequest,
    state: BankState,
  ) => ReturnType<Rule['refuses']>,
): DesignChange =>
  withRules((operation, rules) =>
    rules.map((rule) =>
      matchesId(rule, operation)
        ? { ...rule, refuses: (request, state) => verdictOf(rule.refuses, request, state) }
        : rule,
    ),
  );

/** The same for what they refuse. */
export const onRefusal = (
  matchesId: (rule: Rule, operation: BankOperation) => boolean,
  change: (
    fault: NonNullable<ReturnType<Rule['refuses']>>,
    request: BankRequest,
    state: BankState,
  ) => ReturnType<Rule['refuses']>,
): DesignChange =>
  withVerdicts(matchesId, (refuses, request, state) => {
    const fault = refuses(request, state);
    return fault && change(fault, request, state);
  });

/** Changes what some rules answer: another status, another code. */
export const withRefusals = (
  matchesId: (rule: Rule, operation: BankOperation) => boolean,
  changes: Partial<RefusalAnswer>,
): DesignChange => onRefusal(matchesId, (fault) => ({ ...fault, ...changes }));

/** Another status or code for a whole kind of refusals. */
export const withRefusalKind =
  (kind: RefusalKind, changes: Partial<RefusalAnswer>): DesignChange =>
  (design) => ({
    ...design,
    refusals: { ...design.refusals, [kind]: { ...design.refusals[kind], ...changes } },
  });

/** Changes a field of a request body: `withField('domesticPayment', 'creditorAccount.bban', …)`. */
export const withField =
  (body: keyof BankDesign['bodies'], path: string, change: (field: Field) => Field): DesignChange =>
  (design) => ({
    ...design,
    bodies: { ...design.bodies, [body]: changedBody(design.bodies[body], path, change) },
  });

function changedBody(body: Body, path: string, change: (field: Field) => Field): Body {
  return { ...body, fields: changedFields(body.fields, path.split('.'), change) };
}

/** Steps are member names; `*` is an element of an array. */
function changedFields(
  fields: readonly Field[],
  [step, ...rest]: readonly string[],
  change: (field: Field) => Field,
): readonly Field[] {
  return fields.map((field) => {
    if (field.name !== step) return field;
    if (rest.length === 0) return change(field);
    if (rest[0] !== '*') return { ...field, fields: changedFields(field.fields ?? [], rest, change) };
    const [items] = field.items === undefined ? [] : changedFields([field.items], rest, change);
    return items === undefined ? field : { ...field, items };
  });
}

/** Changes answers of one operation, as they are about to be sent. */
export const withAnswers = (
  operations: readonly BankOperation[],
  change: (answer: BankAnswer, request: BankRequest, state: BankState) => BankAnswer,
): DesignChange =>
  allOf(
    ...operations.map((operation) =>
      doingAt(operation, async (request, state, usual) =>
        change(await usual(request, state), request, state),
      ),
    ),
  );

const rewritten = (answer: BankAnswer, rewrite: (text: string) => string): BankAnswer =>
  answer.body === undefined ? answer : { ...answer, body: JSON.parse(rewrite(JSON.stringify(answer.body))) };

/** Changes answers of some operations as text. */
export const withAnswerText = (
  operations: readonly BankOperation[],
  rewrite: (text: string) => string,
): DesignChange => withAnswers(operations, (answer) => rewritten(answer, rewrite));

/** Changes every answer as text, refusals and addresses in headers included. */
export const withEveryAnswerText = (rewrite: (text: string) => string): DesignChange =>
  withAnswering(({ finish }) => ({
    finish: ({ headers = {}, ...answer }, request) =>
      finish(
        { ...rewritten(answer, rewrite), headers: JSON.parse(rewrite(JSON.stringify(headers))) },
        request,
      ),
  }));
/** Changes bodies that are objects; `undefined` leaves a body as it is. */
export const withBodies = (
  operations: readonly BankOperation[],
  change: (
    body: Readonly<Record<string, unknown>>,
    request: BankRequest,
    state: BankState,
    answer: BankAnswer,
  ) => unknown,
): DesignChange =>
  withAnswers(operations, (answer, request, state) => {
    const body = isObject(answer.body) ? change(answer.body, request, state, answer) : undefined;
    return body === undefined ? answer : { ...answer, body };
  });

/** A member of bodies, where it is there, is written otherwise: another value, or what is made of the old one. */
export const writing = (
  operations: readonly BankOperation[],
  member: string,
  to: unknown,
  isMeant: (request: BankRequest, state: BankState) => boolean = () => true,
): DesignChange =>
  withBodies(operations, (body, request, state) =>
    member in body && isMeant(request, state)
      ? { ...body, [member]: typeof to === 'function' ? to(body[member]) : to }
      : undefined,
  );

/** One value in place of another. */
export const instead =
  (old: unknown, other: unknown) =>
  (value: unknown): unknown =>
    value === old ? other : value;

/** Changes bodies of what was created or read. */
export const inSuccesses = (
  operations: readonly BankOperation[],
  change: (body: Readonly<Record<string, unknown>>, request: BankRequest, state: BankState) => unknown,
): DesignChange =>
  withAnswers(operations, (answer, request, state) =>
    isObject(answer.body) && answer.status < 300
      ? { ...answer, body: change(answer.body, request, state) }
      : answer,
  );

/** Another status for what is created or read, where it is meant. */
export const withStatus = (
  operations: readonly BankOperation[],
  status: number,
  isMeant: (request: BankRequest, state: BankState) => boolean = () => true,
): DesignChange =>
  withAnswers(operations, (answer, request, state) =>
    isMeant(request, state) ? { ...answer, status } : answer,
  );

/** Members of a name, however deep they stand, are told otherwise; `undefined` leaves them out. */
export const telling = (
  operation: BankOperation,
  member: string,
  tell: (value: unknown, request: BankRequest) => unknown,
  isMeant: (request: BankRequest, state: BankState) => boolean = () => true,
): DesignChange =>
  withAnswers([operation], (answer, request, state) =>
    answer.body !== undefined && isMeant(request, state)
      ? {
          ...answer,
          body: JSON.parse(JSON.stringify(answer.body), (name, value: unknown) =>
            name === member ? tell(value, request) : value,
          ),
        }
      : answer,
  );

/** Changes routes one by one, rules included. */
export const withRoutes =
  (change: (route: Route) => Route): DesignChange =>
  (design) => ({ ...design, adaptRoutes: (routes) => design.adaptRoutes(routes).map(change) });

/** What an operation does; it is told what it would do. */
export const doingAt = (
  operation: BankOperation,
  act: (request: BankRequest, state: BankState, usual: Route['handle']) => ReturnType<Route['handle']>,
): DesignChange =>
  withRoutes((route) =>
    route.operation === operation
      ? { ...route, handle: (request, state) => act(request, state, route.handle) }
      : route,
  );

/** What the operation does, for another request than the one that came. */
export const handling = (operation: BankOperation, mistake: Mistake): DesignChange =>
  withRoutes((route) =>
    route.operation === operation
      ? { ...route, handle: (request, state) => route.handle(mistake(request, state), state) }
      : route,
  );

/** What some operations are asked, before anything looks at it. */
export const asking = (operations: readonly BankOperation[], mistake: Mistake): DesignChange =>
  withRoutes((route) =>
    operations.includes(route.operation)
      ? {
          ...route,
          rules: route.rules.map((rule) => ({
            ...rule,
            refuses: (request, state) => rule.refuses(mistake(request, state), state),
          })),
          handle: (request, state) => route.handle(mistake(request, state), state),
        }
      : route,
  );

/** What a form on the pages of SCA leads to. */
export const onPages = (handle: (route: Route) => Route['handle']): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'POST' ? { ...route, handle: handle(route) } : route,
  );

/** What happens once a form of SCA was handled, and what is answered then; `undefined` leaves the answer as it is. */
export const afterPages = (
  act: (answer: BankAnswer, flow: ScaFlow, state: BankState, request: BankRequest) => BankAnswer | undefined,
): DesignChange =>
  onPages((route) => async (request, state) => {
    const flow = state.flows.find(request.params.flowId ?? '');
    const answer = await route.handle(request, state);
    return (flow && act(answer, flow, state, request)) ?? answer;
  });

/** What else happens when SCA was passed, or cancelled. */
export const whenSca = (
  outcome: 'passed' | 'cancelled',
  act: (flow: ScaFlow, state: BankState) => void,
): DesignChange =>
  afterPages((answer, flow, state) => {
    const sign = outcome === 'passed' ? 'psu-id=' : 'code=';
    if (answer.headers?.Location?.includes(sign) === true) act(flow, state);
    return undefined;
  });

/** What is granted in place of what the PSU has ticked; `undefined` leaves the consent as it was. */
export const granting = (
  grantedFor: (
    ticked: readonly string[],
    before: ReadonlySet<string> | undefined,
    psu: ActingPsu,
    state: PsuState,
    tppId: string,
  ) => readonly string[] | undefined,
): DesignChange =>
  withStore('consents', (consents, state) => ({
    grant: (tppId, psu, ticked) => {
      const granted = grantedFor(ticked, consents.find(tppId, psu)?.accountIds, psu, state, tppId);
      if (granted !== undefined) consents.grant(tppId, psu, granted);
    },
  }));

/** Changes how the bank writes answers, whatever they answer. */
export const withAnswering =
  (change: (answers: Answers) => Partial<Answers>): DesignChange =>
  (design) => ({ ...design, answers: { ...design.answers, ...change(design.answers) } });

/** Changes the answer that a refusal becomes. */
export const withRefusalAnswers = (
  change: (answer: BankAnswer, refusal: Refusal) => BankAnswer,
): DesignChange =>
  withAnswering(({ refusal: answerTo }) => ({ refusal: (refusal) => change(answerTo(refusal), refusal) }));

/** Changes the addresses of links to SCA where a request is refused for want of it. */
export const withScaLinks = (change: (href: string) => string): DesignChange =>
  withAnswering(({ refusal: answerTo }) => ({
    refusal: (refusal) => {
      const link = refusal.links?.scaRedirect;
      if (link === undefined) return answerTo(refusal);
      const scaRedirect = { ...link, href: change(link.href) };
      return answerTo({ ...refusal, links: { ...refusal.links, scaRedirect } });
    },
  }));

/** Changes the bytes of answers, behind everything that signs or dates them. */
export const withSealed = (
  change: (sealed: RawResponse, request: BankRequest | undefined) => RawResponse,
): DesignChange =>
  withAnswering(({ seal }) => ({
    seal: async (response, request) => change(await seal(response, request), request),
  }));

export const withPayments =
  (changes: Partial<PaymentDesign>): DesignChange =>
  (design) => ({ ...design, payments: { ...design.payments, ...changes } });

export const withLimits =
  (limits: Partial<BankLimits>): DesignChange =>
  (design) => ({ ...design, limits: { ...design.limits, ...limits } });

/** Changes what the bank remembers with. */
export const withState =
  (change: (state: BankState) => Partial<BankState>): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      return { ...state, ...change(state) };
    },
  });

/** Changes some of what one of its stores does: `withStore('flows', ({ start }) => ({ start: … }))`. */
export const withStore = <Name extends keyof BankState>(
  name: Name,
  change: (store: BankState[Name], state: BankState) => Partial<BankState[Name]>,
): DesignChange =>
  withState((state) => ({ [name]: { ...Object(state[name]), ...change(state[name], state) } }));

/** A change that knows whether SCA was ever passed in the session of a request, whatever came after. */
export const knowingSessions =
  (change: (wasPassed: (request: BankRequest) => boolean) => DesignChange): DesignChange =>
  (design) => {
    const passed = new Set<string>();
    const remember = withStore('sessions', (sessions) => ({
      pass: (tppId, customerNumber, session) => {
        passed.add(session.sessionId);
        sessions.pass(tppId, customerNumber, session);
      },
    }));
    return change((request) => passed.has(request.header('tpp-session-id') ?? ''))(remember(design));
  };

/** Every answer comes so much later, as over a long line. Nothing else changes. */
export const withLatency = (milliseconds: number): DesignChange =>
  withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      await sleep(milliseconds);
      return finish(answer, request);
    },
  }));

/** A change that remembers something: each bank has a memory of its own. */
export const anew =
  (make: () => DesignChange): DesignChange =>
  (design) =>
    make()(design);

/** What some operations see of what the bank remembers. */
export const seeing = (
  operations: readonly BankOperation[],
  seen: (request: BankRequest, state: BankState) => BankState,
): DesignChange =>
  allOf(
    withVerdicts(
      (_, operation) => operations.includes(operation),
      (refuses, request, state) => refuses(request, seen(request, state)),
    ),
    withRoutes((route) =>
      operations.includes(route.operation)
        ? { ...route, handle: (request, state) => route.handle(request, seen(request, state)) }
        : route,
    ),
  );
