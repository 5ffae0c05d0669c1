import { textAt } from '../spec/json.ts';
import { Redactor } from '../tpp/redaction.ts';
import type { Session } from './session.ts';

/** Shows what was recorded without what is secret: it knows all who took part in the session. */
export function redactorFor(session: Session): Redactor {
  const redactor = new Redactor();
  for (const number of identityNumbersIn(session)) redactor.know('national-id', number);
  for (const { answer } of session.exchanges) redactor.learn(answer.exchange);
  return redactor;
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
