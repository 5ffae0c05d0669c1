import forge from 'node-forge';

/** A PKCS #12 file that cannot be used. */
export class Pkcs12Error extends Error {
  override readonly name = 'Pkcs12Error';
}

/** The certificate and the key of a PKCS #12 file (.p12, .pfx), as PEM. */
export function readPkcs12(bytes: Buffer, passphrase: string): { certificate: string; privateKey: string } {
  const { pkcs12, pki, asn1, util } = forge;
  const store = opened(() =>
    pkcs12.pkcs12FromAsn1(asn1.fromDer(util.createBuffer(bytes.toString('binary'))), passphrase),
  );
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
