import { textAt } from '../spec/json.ts';
import { Redactor } from '../tpp/redaction.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** Shows what was recorded without what is secret: it knows all who took part in the session. */
export function redactorFor(session: Session): Redactor {
  const redactor = new Redactor();
  for (const exchange of session.exchanges) knowPeopleOf(exchange, redactor);
  for (const { answer } of session.exchanges) redactor.learn(answer.exchange);
  return redactor;
}

/** Remembers whom an exchange is about, before anything of it, or of what comes after it, is shown. */
export function learnFrom(exchange: SeenExchange, redactor: Redactor): void {
  knowPeopleOf(exchange, redactor);
  redactor.learn(exchange.answer.exchange);
}

/** Typed in at the pages, sent as X-PSU-IDENTITY, or listed by the sandbox. Only mocked ones can pass here. */
function knowPeopleOf(exchange: SeenExchange, redactor: Redactor): void {
  const { operation, method, bytes, answer } = exchange;
  const typed =
    operation === 'page' && method === 'POST'
      ? (new URLSearchParams(bytes.toString('utf8')).get('nationalId') ?? '')
      : '';
  const sent = exchange.header('X-PSU-IDENTITY') ?? '';
  const listed =
    operation === 'listSandboxCustomers' && Array.isArray(answer.json)
      ? answer.json.map((customer: unknown) => textAt(customer, 'customerNumber') ?? '')
      : [];
  for (const number of [typed, sent, ...listed]) {
    if (/^\d{11}$/.test(number.trim())) redactor.know('national-id', number);
  }
}
