import { allOf, type DesignChange, withRoutes, withRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';

/** What a bank takes a request for that is another one. */
export type Mistake = (request: BankRequest, state: BankState) => BankRequest;

/** The same request but for some parts. Written out, because a request reads some of its parts when asked. */
const changed = (request: BankRequest, changes: Partial<BankRequest>): BankRequest => ({
  operation: request.operation,
  method: request.method,
  target: request.target,
  params: request.params,
  query: request.query,
  headers: request.headers,
  headerNames: request.headerNames,
  header: (name) => request.header(name),
  bytes: request.bytes,
  body: request.body,
  certificate: request.certificate,
  ...changes,
});

/** The request with another value of a header. */
export const withHeader = (request: BankRequest, name: string, value: string | undefined): BankRequest =>
  changed(request, { header: (wanted) => (wanted === name ? value : request.header(wanted)) });

export const withCertificate = (request: BankRequest, certificate: BankRequest['certificate']): BankRequest =>
  changed(request, { certificate });

export const withParam = (request: BankRequest, name: string, value: string): BankRequest =>
  changed(request, { params: { ...request.params, [name]: value } });

export function withQuery(request: BankRequest, name: string, value: string): BankRequest {
  const query = new URLSearchParams(request.query);
  query.set(name, value);
  return changed(request, { query });
}

/** What the operation does, for another request than the one that came. */
export const handling = (operation: BankOperation, mistake: Mistake): DesignChange =>
  withRoutes((route) =>
    route.operation === operation
      ? { ...route, handle: (request, state) => route.handle(mistake(request, state), state) }
      : route,
  );

/** Rules that ask who speaks for whom, and what they may see. Signature and certificate are not among them. */
const aboutThePsu: ReadonlySet<string> = new Set([
  ...['SCA-01', 'ERR-03', 'COR-01', 'COR-03', 'COR-04', 'SES-01', 'SES-02', 'SES-06', 'ACC-01'],
]);

/** The same, and whoever asks about the PSU is mistaken already. */
export const mistaking = (operation: BankOperation, mistake: Mistake): DesignChange =>
  allOf(
    withRules((at, rules) =>
      at === operation
        ? rules.map((rule) =>
            aboutThePsu.has(rule.requirement)
              ? { ...rule, refuses: (request, state) => rule.refuses(mistake(request, state), state) }
              : rule,
          )
        : rules,
    ),
    handling(operation, mistake),
  );
