import { CertificateError, readCertificate } from '../../signing/certificate.ts';
import { type CertificateAuthority, loadCertificateAuthority } from '../../signing/certificate-authority.ts';
import { IdentityError, readIdentity, type SigningIdentity } from '../../signing/identity.ts';
import type { GivenIdentities } from '../identities.ts';
import type { KeyPath } from '../key-path.ts';
import { furtherIdentityNames } from '../target.ts';
import type { PairSection, SigningSection } from '../target-file.ts';
import type { LoadContext } from './context.ts';
import { type KeyPairPem, readKeyPair } from './key-pair.ts';

export interface LoadedSigning {
  readonly identity: SigningIdentity | undefined;
  readonly identities: GivenIdentities;
  readonly testCa: CertificateAuthority | undefined;
}

export async function loadSigning(
  context: LoadContext,
  given: SigningSection | undefined,
): Promise<LoadedSigning> {
  const [identity, testCa, ...further] = await Promise.all([
    load(context, ['signing'], given, identityFrom('main')),
    load(context, ['signing', 'testCa'], given?.testCa, authorityFrom),
    ...furtherIdentityNames.map((name) =>
      load(context, ['signing', 'identities', name], given?.identities?.[name], identityFrom(name)),
    ),
  ]);
  const named = furtherIdentityNames.map((name, index) => [name, further[index]] as const);
  return {
    identity,
    testCa,
    identities: Object.fromEntries(named.filter(([, loaded]) => loaded !== undefined)),
  };
}

const identityFrom =
  (name: string) =>
  ({ certificate, privateKey, passphrase }: KeyPairPem): SigningIdentity =>
    readIdentity(name, certificate, privateKey, passphrase);

function authorityFrom({ certificate, privateKey, passphrase }: KeyPairPem): CertificateAuthority {
  return loadCertificateAuthority(certificate, privateKey, passphrase === undefined ? {} : { passphrase });
}

async function load<Loaded>(
  context: LoadContext,
  section: KeyPath,
  given: PairSection | undefined,
  read: (pair: KeyPairPem) => Loaded,
): Promise<Loaded | undefined> {
  const place = {
    section,
    certificate: [...section, 'certificate'],
    privateKey: [...section, 'privateKey'],
  };
  const pair = await readKeyPair(context, place, given ?? {});
  if (pair === undefined) return undefined;
  try {
    readCertificate(pair.certificate);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    context.complain(place.certificate, error.message);
    return undefined;
  }
  try {
    return read(pair);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    context.complain(place.privateKey, error.message);
    return undefined;
  }
}
