import type { Target } from '../target/target.ts';
import type { NoAnswerError, TroubleKind } from '../tpp/exchange.ts';

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
    'Something before the bank answers in its place, or cuts off what it says (a gateway, a proxy, a page for maintenance). Check that the bank is up, and baseUrl.',
  proxy:
    'The way out of this network is closed. Check proxy of the target file, or the variables HTTPS_PROXY and NO_PROXY. Where it wants a name and a password, they stand in its address before the host.',
  size: 'Its answers are too large to be read. Check that baseUrl is the address of the interface.',
  budget: 'It takes more requests to begin a run: allow more of them by --budget.',
  overload: 'It asks to slow down again and again. Lower pace.requestsPerSecond and pace.concurrency.',
};

export function explainTrouble({ baseUrl }: Target, { kind, exchanges, message }: NoAnswerError): string {
  const said = exchanges.at(-1)?.trouble?.message ?? message;
  const remedy = kind === 'tls' ? tlsRemedy(said) : troubleRemedies[kind];
  return [`${baseUrl} cannot be reached: ${said.replace(/\.$/, '')}.`, remedy].join('\n');
}

/** What to do about a server certificate that is not trusted, by what is said of it. */
export const tlsRemedy = (said: string): string =>
  /altname/i.test(said)
    ? 'The server certificate is for another name. Give the address as the certificate has it.'
    : /EXPIRED|certificate has expired/i.test(said)
      ? 'The server certificate has expired: the bank has to renew it.'
      : /UNABLE_TO_GET_ISSUER_CERT(?!_LOCALLY)|unable to get issuer certificate/i.test(said)
        ? 'The authority in tls.ca was issued by another one. Add those above it to the file, up to the root.'
        : /UNABLE_TO_VERIFY_LEAF|unable to verify the first certificate/i.test(said)
          ? 'Give the authority that issued the bank’s certificate as tls.ca, with those above it up to the root. Where the root is there already, the bank leaves out what is between: let it send that, or add it to tls.ca.'
          : troubleRemedies.tls;
