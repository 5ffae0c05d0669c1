import {
  compareSeenKeyId,
  each,
  type SeenExchange,
  type SeenSignature,
  type Session,
  signatureParts,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { verifyDigest } from '../../src/signing/digest.ts';
import { candidateHeaders } from '../../src/spec/code-lists.ts';
import { formatHttpDate, isFixDate, parseHttpDate } from '../../src/spec/http-date.ts';
import { limits } from '../../src/spec/limits.ts';

const signed = ({ calls }: Session): readonly SeenExchange[] =>
  calls.filter(({ signature }) => signature !== undefined);

/** Requests whose Signature header has a part; one without it is judged by its form. */
const withPart =
  (name: (typeof signatureParts)[number]) =>
  (session: Session): readonly SeenExchange[] =>
    signed(session).filter(({ signature }) => signature?.part(name) !== undefined);

/** Requests whose keyId can be held against a certificate. One with an encoded word inside has another fault. */
const withKeyId = (session: Session): readonly SeenExchange[] =>
  withPart('keyId')(session).filter(
    ({ signature, certificate }) => certificate !== undefined && !hasWordInside(signature),
  );

/** Header names, and pseudo-headers such as (request-target), with a space between two of them. */
const listOfNames = /^(?:[a-z0-9_.~+-]+|\([a-z-]+\))(?: (?:[a-z0-9_.~+-]+|\([a-z-]+\)))*$/;

const hasWordInside = (signature: SeenSignature | undefined): boolean =>
  signatureParts.some((name) => /=\?[^?]+\?[BQ]\?/i.test(signature?.part(name) ?? ''));

const keyIdOf = ({ signature, certificate }: SeenExchange) =>
  certificate && compareSeenKeyId(signature?.part('keyId') ?? '', certificate);

export default suite('Signature', ['Authentication', 'Signature header'], () => [
  each({
    id: 'TPP-02',
    title: 'the TPP signs with an eIDAS certificate that carries the role of the operation',
    requirement: 'TPP-02',
    looksAt: 'a request with a certificate that can be read',
    expected: 'a valid certificate of a trusted authority, with PSP_PI for payments and PSP_AI for accounts',
    of: ({ calls }) => calls.filter(({ certificate }) => certificate !== undefined),
    fault: (exchange, session) => faultOfCertificate(exchange, session),
  }),

  each({
    id: 'TPP-03',
    title: 'the TPP signs every request, and the signature verifies',
    requirement: 'TPP-03',
    looksAt: 'a request of the TPP',
    expected: 'a signature that verifies with the certificate sent',
    of: ({ calls }) => calls,
    fault: ({ signature, verification }) => {
      if (signature === undefined) return 'the Signature header is missing';

      return verification.outcome === 'broken' ? verification.problem : undefined;
    },
    hint: ({ signature, signingMistake }) => (signature === undefined ? undefined : signingMistake),
  }),

  each({
    id: 'TPP-04',
    title: 'the TPP sends a Date that is at most 60 seconds off',
    requirement: 'TPP-04',
    looksAt: 'a request of the TPP',
    expected: `a Date within ${limits.clockDeviationSeconds} seconds of the bank's clock`,
    of: ({ calls }) => calls,
    fault: (exchange) => {
      const written = exchange.header('Date');
      if (written === undefined) return 'the Date header is missing';
      const date = parseHttpDate(written, exchange.at);
      if (date === undefined) return `"${written}" is not an HTTP date`;
      const off = Math.floor(date.getTime() / 1000) - Math.floor(exchange.at.getTime() / 1000);
      return Math.abs(off) > limits.clockDeviationSeconds
        ? `the Date is ${Math.abs(off)} seconds ${off > 0 ? 'ahead' : 'behind'}`
        : undefined;
    },
  }),

  each({
    id: 'TPP-50',
    title: 'Date is written in the full-date form of RFC 7231',
    requirement: 'TPP-50',
    looksAt: 'a request with a Date',
    expected: 'a Date such as Tue, 03 Mar 2026 10:00:00 GMT',
    // What is no date at all is judged as such.
    of: ({ calls }) =>
      calls.filter((exchange) => parseHttpDate(exchange.header('Date') ?? '', exchange.at) !== undefined),
    fault: (exchange) => {
      const written = exchange.header('Date') ?? '';
      if (!isFixDate(written)) {
        return `"${written}" has an obsolete form, which only recipients still have to understand`;
      }
      const date = parseHttpDate(written, exchange.at);
      const day = date === undefined ? '' : formatHttpDate(date).slice(0, 3);
      return written.startsWith(day) ? undefined : `"${written}" is a ${day}`;
    },
  }),

  each({
    id: 'TPP-06',
    title: 'the Signature header has its four parts in order',
    requirement: 'TPP-06',
    looksAt: 'a request with a Signature header',
    expected: `the parts ${signatureParts.join(', ')}, in this order`,
    of: (session) => signed(session).filter(({ signature }) => signature?.encodingProblem === undefined),
    fault: ({ signature, headers }) => {
      // Lines of one name are one list (RFC 9110, section 5.3): then there are more than four parts.
      const times = headers.lines().filter(([name]) => name.toLowerCase() === 'signature').length;
      if (times > 1) return `the header is sent ${times} times`;
      if (signature?.order === undefined) return 'the header is not a list of name="value" joined by commas';
      const empty = signatureParts.find((name) => signature.part(name) === undefined);
      if (empty !== undefined) return `the part "${empty}" is missing or empty`;
      return signature.order.join() === signatureParts.join()
        ? undefined
        : `the parts come as ${signature.order.join(', ')}`;
    },
  }),

  each({
    id: 'TPP-07',
    title: 'keyId names the certificate that is sent',
    requirement: 'TPP-07',
    looksAt: 'a Signature header with a keyId and a certificate next to it',
    expected: 'keyId to be SN=<serial>,CA=<issuer> of the certificate sent',
    of: withKeyId,
    fault: (exchange) => {
      const keyId = keyIdOf(exchange);
      if (keyId === undefined) return `keyId is "${exchange.signature?.part('keyId')}"`;
      if (keyId.serialNumber === 'other') {
        return `SN is not the serial number ${exchange.certificate?.serialNumber}`;
      }
      return keyId.issuer === 'other' ? `CA is not the issuer ${exchange.certificate?.issuer}` : undefined;
    },
  }),

  each({
    id: 'TPP-08',
    title: 'SN is written in upper-case hexadecimal',
    requirement: 'TPP-08',
    looksAt: 'a keyId with the serial number of the certificate',
    expected: 'SN in upper-case hexadecimal',
    of: (session) =>
      withKeyId(session).filter((exchange) => (keyIdOf(exchange)?.serialNumber ?? 'other') !== 'other'),
    fault: (exchange) =>
      keyIdOf(exchange)?.serialNumber === 'other-form'
        ? `keyId is "${exchange.signature?.part('keyId')}", the serial number ${exchange.certificate?.serialNumber}`
        : undefined,
  }),

  each({
    id: 'TPP-09',
    title: 'CA is the issuer in RFC 2253 form',
    requirement: 'TPP-09',
    looksAt: 'a keyId with the issuer of the certificate',
    expected: 'CA in RFC 2253 form, the most specific name first',
    of: (session) =>
      withKeyId(session).filter((exchange) => (keyIdOf(exchange)?.issuer ?? 'other') !== 'other'),
    fault: (exchange) =>
      keyIdOf(exchange)?.issuer === 'other-form'
        ? `keyId is "${exchange.signature?.part('keyId')}", the issuer in RFC 2253 form ${exchange.certificate?.issuer}`
        : undefined,
  }),

  each({
    id: 'TPP-10',
    title: 'algorithm is rsa-sha256',
    requirement: 'TPP-10',
    looksAt: 'a Signature header with an algorithm',
    expected: 'the algorithm rsa-sha256',
    of: withPart('algorithm'),
    fault: ({ signature }) =>
      signature?.part('algorithm') === 'rsa-sha256'
        ? undefined
        : `the algorithm is "${signature?.part('algorithm')}"`,
  }),

  each({
    id: 'TPP-11',
    title: 'headers lists lower-case names separated by a single space',
    requirement: 'TPP-11',
    looksAt: 'a Signature header with a list of headers',
    expected: 'lower-case names separated by a single space',
    of: withPart('headers'),
    fault: ({ signature }) =>
      listOfNames.test(signature?.part('headers') ?? '')
        ? undefined
        : `the list is "${signature?.part('headers')}"`,
  }),

  each({
    id: 'TPP-12',
    title: 'every candidate header that the request carries is signed',
    requirement: 'TPP-12',
    looksAt: 'a Signature header with a list of headers',
    expected: `each of ${candidateHeaders.join(', ')} that is sent to be signed`,
    of: withPart('headers'),
    fault: (exchange) => {
      const names = exchange.signature?.names ?? [];
      const unsigned = candidateHeaders.filter(
        (name) => exchange.header(name) !== undefined && !names.includes(name),
      );
      if (unsigned.length > 0) return `${unsigned.join(' and ')} is sent and not signed`;
      // Of two values the signature covers one. Digest alone is a list (RFC 3230), which may be sent in parts.
      const ambiguous = candidateHeaders.filter(
        (name) => name !== 'digest' && exchange.values(name).length > 1,
      );
      return ambiguous.length === 0
        ? undefined
        : `${ambiguous.join(' and ')} is sent with several values, of which one is signed`;
    },
  }),

  each({
    id: 'TPP-13',
    title: 'a Signature header with characters outside ASCII is MIME-encoded as a whole',
    requirement: 'TPP-13',
    looksAt: 'a Signature header with characters outside ASCII, such as in the name of the issuer',
    expected: 'the whole value as =?charset?encoding?text?=',
    of: (session) =>
      signed(session).filter(
        ({ signature }) =>
          signature?.encodingProblem !== undefined ||
          signature?.isInternational === true ||
          hasWordInside(signature),
      ),
    fault: ({ signature }) => {
      if (signature?.encodingProblem !== undefined) return signature.encodingProblem;
      if (signature?.isRaw === true) return 'bytes outside ASCII stand in the header as they are';
      return hasWordInside(signature) ? 'only a part of the header is encoded' : undefined;
    },
  }),

  each({
    id: 'TPP-14',
    title: 'Digest is the hash of the exact bytes of the body',
    requirement: 'TPP-14',
    looksAt: 'a request with a Digest',
    expected: 'SHA-256=<Base64> or SHA-512=<Base64> of the bytes sent',
    of: ({ calls }) => calls.filter((exchange) => exchange.header('Digest') !== undefined),
    fault: (exchange) => {
      // A list may be sent in parts (RFC 3230), of which each has to be right.
      const digest = exchange.values('Digest').join(',');
      const verdict = verifyDigest(digest, exchange.bytes);
      if (verdict.ok) return undefined;
      const problems = {
        malformed: 'it is not <algorithm>=<Base64>',
        'unknown-algorithm': 'its algorithm is neither SHA-256 nor SHA-512',
        mismatch: 'it is not the hash of the body that was sent',
      };
      return `the Digest is "${digest}": ${problems[verdict.reason]}`;
    },
  }),
]);

const accountOperation = /^(?:list|read)(?:Card)?(?:Accounts?|Balances|Transactions?)$/;
const paymentOperation = /^create(?:\w+Payment|SigningBasket)$/;

/** Every TPP holds one of the two. What a sandbox offers besides the interface may be for anybody. */
function rolesFor(operation: string): readonly ('PSP_PI' | 'PSP_AI')[] {
  if (paymentOperation.test(operation)) return ['PSP_PI'];
  if (accountOperation.test(operation)) return ['PSP_AI'];
  return /sandbox/i.test(operation) ? [] : ['PSP_PI', 'PSP_AI'];
}

function faultOfCertificate(
  { certificate, operation, at }: SeenExchange,
  session: Session,
): string | undefined {
  // How it is written is judged by itself.
  if (certificate === undefined) return undefined;
  if (!session.trusts(certificate)) return `its issuer "${certificate.issuer}" is not trusted`;
  if (at > certificate.notAfter) return `the certificate expired at ${certificate.notAfter.toISOString()}`;
  if (at < certificate.notBefore) {
    return `the certificate is not valid before ${certificate.notBefore.toISOString()}`;
  }
  const roles = rolesFor(operation);
  return roles.length === 0 || roles.some((role) => certificate.roles.includes(role))
    ? undefined
    : `the certificate does not carry the role ${roles.join(' or ')}`;
}
