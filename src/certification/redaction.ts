import { textAt } from '../spec/json.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { redactExchange } from '../tpp/redaction.ts';
import type { Session } from './session.ts';

/** Shows what was recorded without certificates and without the national identity numbers of this session. */
export interface Redaction {
  text(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

export function redactionFor(session: Session): Redaction {
  const numbers = identityNumbersIn(session);
  const hide = (text: string): string =>
    numbers.reduce((rest, number) => rest.replaceAll(number, '[redacted]'), text);
  return {
    text: hide,
    exchange: (exchange) =>
      JSON.parse(
        JSON.stringify(redactExchange(exchange, { psu: {}, customHeaders: {} })),
        (_, value: unknown) => (typeof value === 'string' ? hide(value) : value),
      ),
  };
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
