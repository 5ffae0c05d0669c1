export interface KeyId {
  readonly serialNumber: string;
  readonly issuer: string;
}

export function formatKeyId(keyId: KeyId): string {
  return `SN=${keyId.serialNumber},CA=${keyId.issuer}`;
}

/** Undefined when the text is not `SN=<serial>,CA=<issuer>`. Neither half is judged here. */
export function parseKeyId(text: string): KeyId | undefined {
  const [, serialNumber, issuer] = /^SN=([^,]+),CA=(.+)$/su.exec(text) ?? [];
  return serialNumber === undefined || issuer === undefined ? undefined : { serialNumber, issuer };
}
