import type { BankRequest } from './route.ts';

/** The same request but for some parts. Written out, because a request reads some of its parts when asked. */
export const changedRequest = (request: BankRequest, changes: Partial<BankRequest>): BankRequest => ({
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
