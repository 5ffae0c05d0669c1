import type { BankRequest } from '../route.ts';

/** The request as a careless bank reads it. */
export const changedRequest = (
  request: BankRequest,
  changes: Partial<Pick<BankRequest, 'body' | 'bytes' | 'query'>> & {
    readonly header?: (name: string) => string | undefined;
  },
): BankRequest => ({
  operation: request.operation,
  method: request.method,
  target: request.target,
  params: request.params,
  query: request.query,
  headers: request.headers,
  header: (name) => request.header(name),
  bytes: request.bytes,
  get body() {
    return request.body;
  },
  get certificate() {
    return request.certificate;
  },
  ...changes,
});
