import { textAt } from '../spec/json.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { redactExchange } from '../tpp/redaction.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** Shows exchanges without certificates and without the national identity numbers that this session has seen. */
export function redactorFor(session: Session): (exchange: SeenExchange) => Exchange {
  const numbers = identityNumbersIn(session);
  const hide = (_: string, value: unknown): unknown =>
    typeof value === 'string'
      ? numbers.reduce((text, number) => text.replaceAll(number, '[redacted]'), value)
      : value;
  return ({ answer }) =>
    JSON.parse(JSON.stringify(redactExchange(answer.exchange, { psu: {}, customHeaders: {} })), hide);
}

/** Typed in at the pages, sent as X-PSU-IDENTITY, or listed by the sandbox. Only mocked ones can pass here. */
function identityNumbersIn({ exchanges, requests }: Session): readonly string[] {
  const typed = exchanges
    .filter(({ operation, method }) => operation === 'page' && method === 'POST')
    .map(({ bytes }) => new URLSearchParams(bytes.toString('utf8')).get('nationalId') ?? '');
  const sent = requests.map((exchange) => exchange.header('X-PSU-IDENTITY') ?? '');
  const listed = requests
    .filter(({ operation }) => operation === 'listSandboxCustomers')
    .flatMap(({ answer }) => (Array.isArray(answer.json) ? answer.json : []))
    .map((customer: unknown) => textAt(customer, 'customerNumber') ?? '');
  return [...new Set([...typed, ...sent, ...listed])].filter((number) => /^\d{11}$/.test(number.trim()));
}
