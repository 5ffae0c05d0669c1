/**
 * Adds parameters as text: what the TPP has in its own query and fragment stays byte for byte, because it may
 * compare its address.
 */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = redirectUri.split('#');
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [address + separator + added, ...fragment].join('#');
}
