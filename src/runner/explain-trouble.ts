import type { Target } from '../target/target.ts';
import type { TroubleKind } from '../tpp/exchange.ts';
import type { NoAnswerError } from '../tpp/no-answer.ts';

/** What to do when a bank cannot be reached. */
export const troubleRemedies: Readonly<Record<TroubleKind, string>> = {
  refused: 'Nothing listens there. Check host and port of baseUrl, and that the bank is up.',
  dns: 'The host name is not known. Check baseUrl.',
  timeout: 'It does not answer in time. Check that this machine may reach it, or raise pace.timeoutMs.',
  tls: 'The TLS handshake failed. Give the authority of the bank’s certificate as tls.ca, or the client certificate that it wants as tls.clientCertificate and tls.clientKey.',
  reset:
    'It closes the connection. Is baseUrl https where it should be, or does the bank want a client certificate (tls.clientCertificate)?',
  protocol:
    'It does not speak HTTP as expected. Check that baseUrl is the address of the interface, with https or http as it should be.',
  gateway:
    'Something before the bank answers in its place (a gateway, a proxy, a page for maintenance). Check that the bank is up, and baseUrl.',
  size: 'Its answers are too large to be read. Check that baseUrl is the address of the interface.',
  overload: 'It asks to slow down again and again. Lower pace.requestsPerSecond and pace.concurrency.',
};

export function explainTrouble({ baseUrl }: Target, { kind, exchanges, message }: NoAnswerError): string {
  const said = exchanges.at(-1)?.trouble?.message ?? message;
  return [`${baseUrl} cannot be reached: ${said.replace(/\.$/, '')}.`, troubleRemedies[kind]].join('\n');
}
