import { isUtf8 } from 'node:buffer';
import {
  each,
  type FailedConnection,
  type Finding,
  type SeenExchange,
  type Session,
  tppCheck,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { isJsonMediaType } from '../../src/spec/media-type.ts';
import { creations } from '../../src/spec/products.ts';

/** What begins with no record of TLS at all speaks no old version of it. */
const oldProtocol = /UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|TLSV1_ALERT_PROTOCOL_VERSION/;

export default suite('Transport', ['What the service does'], () => [
  tppCheck({
    id: 'TPP-01',
    title: 'the TPP uses TLS 1.2 or higher',
    requirement: 'TPP-01',
    looksAt: 'a request over TLS, or a handshake that failed for its version',
    expected: 'every connection to use TLS 1.2 or higher',
    judge: judgeTls,
  }),

  each({
    id: 'TPP-25',
    title: 'request bodies are JSON in UTF-8',
    requirement: 'TPP-25',
    looksAt: 'a request that creates a payment or a basket',
    expected: 'a JSON body in UTF-8, and no other type given in Content-Type',
    of: (session) => session.of(...creations, 'createSigningBasket'),
    fault: (exchange) => {
      const other = exchange.values('Content-Type').find((type) => !isJsonMediaType(type));
      if (other !== undefined) return `its Content-Type is "${other}"`;
      if (!isUtf8(exchange.bytes)) return 'its body is not UTF-8';
      return exchange.json === undefined ? 'its body is not JSON' : undefined;
    },
  }),

  each({
    id: 'TPP-40',
    title: 'the TPP calls paths with the prefix /v1',
    requirement: 'TPP-40',
    looksAt: 'a request of the TPP',
    expected: 'a path under /v1',
    of: ({ requests }) => requests,
    fault: ({ path }, { prefix }) =>
      path.startsWith(`${prefix}/v1/`) ? undefined : `the path is ${path}, not one under ${prefix}/v1/`,
  }),
]);

function judgeTls(session: Session): Finding | undefined {
  const overTls = session.requests.filter(({ recorded }) => recorded.tlsVersion !== undefined);
  const refused = session.failedConnections.filter(({ code, message }) =>
    oldProtocol.test(`${code} ${message}`),
  );
  const own = refused.filter((connection) => session.mayBeOfTpp(connection));
  const old = overTls.filter(({ recorded }) => !/^TLSv1\.[23]$/.test(recorded.tlsVersion ?? ''));
  const looked = overTls.length + own.length;
  if (looked === 0) return undefined;
  const [first] = own;
  if (first !== undefined) {
    const actual = `the bank refused a connection at ${first.at} for its version: ${first.message}`;
    return { looked, evidence: [], actual };
  }
  const [exchange] = old;
  return exchange === undefined
    ? { looked, evidence: overTls.slice(0, 1), notes: [...versionsIn(overTls), ...strangersIn(refused)] }
    : {
        looked,
        evidence: [exchange],
        actual: `${exchange.name} came over ${exchange.recorded.tlsVersion}`,
      };
}

const strangersIn = ({ length }: readonly FailedConnection[]): readonly string[] =>
  length === 0
    ? []
    : [
        `Connections that were refused for their version: ${length}, from addresses from where the TPP has signed nothing.`,
      ];

const versionsIn = (requests: readonly SeenExchange[]): readonly string[] => [
  `Versions seen: ${[...new Set(requests.map(({ recorded }) => recorded.tlsVersion))].join(', ')}.`,
];
