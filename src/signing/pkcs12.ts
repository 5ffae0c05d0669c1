import forge from 'node-forge';

/** A PKCS #12 file that cannot be used. */
export class Pkcs12Error extends Error {
  override readonly name: string = 'Pkcs12Error';
}

/** One whose passphrase makes no difference. */
export class Pkcs12TooSlowError extends Pkcs12Error {
  override readonly name = 'Pkcs12TooSlowError';
}

/** The certificate and the key of a PKCS #12 file (.p12, .pfx), as PEM. */
export function readPkcs12(bytes: Buffer, passphrase: string): { certificate: string; privateKey: string } {
  const { pkcs12, pki, asn1, util } = forge;
  const content = opened(() => asn1.fromDer(util.createBuffer(bytes.toString('binary'))));
  const rounds = roundsIn(content);
  if (rounds > mostRounds)
    throw new Pkcs12TooSlowError(
      `To open it takes ${rounds} rounds of hashing, and too long. Export it again with fewer: openssl pkcs12 -export -iter 100000.`,
    );
  const store = opened(() => pkcs12.pkcs12FromAsn1(content, passphrase));
  const bags = store.safeContents.flatMap(({ safeBags }) => safeBags);
  const keys = bags.flatMap(({ key }) =>
    key === undefined || key === null ? [] : [key as forge.pki.rsa.PrivateKey],
  );
  const [key, ...furtherKeys] = keys;
  if (key === undefined) throw new Pkcs12Error('It holds no RSA private key.');
  if (furtherKeys.length > 0)
    throw new Pkcs12Error(`It holds ${keys.length} private keys; give one with a single key.`);
  // The certificates of its authorities may be there as well.
  const own = bags.find(({ cert }) => {
    const publicKey = cert?.publicKey as forge.pki.rsa.PublicKey | undefined;
    return publicKey?.n?.equals(key.n) === true;
  })?.cert;
  if (own === undefined || own === null) throw new Pkcs12Error('It holds no certificate of its key.');
  return { certificate: pki.certificateToPem(own), privateKey: pki.privateKeyToPem(key) };
}

/** Some ten seconds. Nobody can interrupt it meanwhile. */
const mostRounds = 500_000;

/**
 * How often is hashed to get at what it holds. A count stands behind a salt, whatever makes the key (RFC 7292, 4 and B;
 * RFC 8018, A.2); further structures stand in texts of bytes.
 */
function roundsIn(node: forge.asn1.Asn1): number {
  const { asn1 } = forge;
  const { value } = node;
  if (!Array.isArray(value)) return node.type === asn1.Type.OCTETSTRING ? roundsInBytes(value) : 0;
  return value.reduce((sum, part, index) => {
    const isCount = part.type === asn1.Type.INTEGER && value[index - 1]?.type === asn1.Type.OCTETSTRING;
    return sum + (isCount ? Number(`0x0${forge.util.bytesToHex(String(part.value))}`) : roundsIn(part));
  }, 0);
}

function roundsInBytes(bytes: string): number {
  try {
    return roundsIn(forge.asn1.fromDer(bytes));
  } catch {
    return 0;
  }
}

function opened<Store>(open: () => Store): Store {
  try {
    return open();
  } catch (error) {
    const isPassphrase = error instanceof Error && /MAC could not be verified|password/i.test(error.message);
    throw new Pkcs12Error(
      isPassphrase ? 'Its passphrase is another one.' : 'It cannot be read as PKCS #12.',
      { cause: error },
    );
  }
}
