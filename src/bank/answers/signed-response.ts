import { digestHeader } from '../../signing/digest.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { formatKeyId } from '../../signing/key-id.ts';
import { signText } from '../../signing/signature.ts';
import { formatSignatureHeader } from '../../signing/signature-header.ts';
import { signingString } from '../../signing/signing-string.ts';
import type { RawResponse } from '../http/raw-message.ts';

const signedHeaders = ['date', 'digest', 'x-request-id'] as const;

/** Responses may be signed (Transport and signing): in the way of requests, over what a response carries of them. */
export async function signedResponse(response: RawResponse, identity: SigningIdentity): Promise<RawResponse> {
  const headers: RawResponse['headers'] = [...response.headers, ['Digest', digestHeader(response.body)]];
  const valueFor = (name: string): string | undefined =>
    headers.find(([header]) => header.toLowerCase() === name)?.[1];
  const names = signedHeaders.filter((name) => valueFor(name) !== undefined);
  const { issuer, serialNumber, base64 } = identity.certificate;
  const signature = formatSignatureHeader({
    keyId: formatKeyId({ issuer, serialNumber }),
    algorithm: 'rsa-sha256',
    headers: names,
    signature: await signText(signingString(names, valueFor), identity.privateKey),
  });
  return {
    ...response,
    headers: [...headers, ['TPP-Signature-Certificate', base64], ['Signature', signature]],
  };
}
