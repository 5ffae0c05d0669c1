import { expect, it } from 'vitest';
import { decodeBase64 } from './base64.ts';

it('decodes what an encoder writes', () => {
  expect(decodeBase64('w4Vz')?.toString('utf8')).toBe('Ås');
  expect(decodeBase64('')?.length).toBe(0);
});

it.each(['YQ', 'YQ=', 'YQ==\n', ' YQ==', 'YR==', 'Y Q==', '-_8=', 'YQ==YQ=='])('refuses "%s"', (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});
