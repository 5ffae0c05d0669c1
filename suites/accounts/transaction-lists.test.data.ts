import { Answer } from '../../src/tpp/answer.ts';

/** A listing of transactions that says this. */
export const answering = (json: unknown, status = 200): Answer => {
  const body = JSON.stringify(json);
  const exchange = {
    id: 'x1',
    purpose: 'transactions',
    operation: 'readTransactions',
    attempt: 1,
    startedAt: '2026-11-15T12:00:00Z',
    durationMs: 1,
    request: { method: 'GET', url: 'https://bank.example/v1/accounts/1/transactions', headers: [], body: '' },
    response: { status, headers: [], body },
  };
  return new Answer(exchange, Buffer.from(body));
};
