import { describe, expect, it } from 'vitest';
import { withParameters } from './walk-flow.ts';

describe('the redirect address', () => {
  it('keeps query and fragment of the TPP as they were', () => {
    const parameters = { code: 'a b&c', status: '1' };
    expect(withParameters('https://t.example/back', parameters)).toBe(
      'https://t.example/back?code=a%20b%26c&status=1',
    );
    expect(withParameters('https://t.example/back?state=x%20y+z', parameters)).toBe(
      'https://t.example/back?state=x%20y+z&code=a%20b%26c&status=1',
    );
    expect(withParameters('https://t.example/?#part', parameters)).toBe(
      'https://t.example/?code=a%20b%26c&status=1#part',
    );
  });
});
