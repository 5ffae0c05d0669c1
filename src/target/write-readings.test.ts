import { describe, expect, it } from 'vitest';
import { withReadings } from './write-readings.ts';

const file = `# The bank under test.
baseUrl: https://bank.example # up to, but without /v1
interpretations:
  # As agreed with the bank in May.
  basketLimit: "10"
psu: { id: 0d9c1f6e-6c7f-4a51-9c39-0f6a4f8f2b11, sessionId: 'a-session-whose-name-is-so-long-that-a-writer-might-fold-it-into-two' }
`;

describe('readings that are written into a target file', () => {
  it('leave comments, order and everything else as they are', () => {
    expect(withReadings(file, { amountFractionDigits: 'at-most' })).toBe(
      file.replace('basketLimit: "10"\n', 'basketLimit: "10"\n  amountFractionDigits: at-most\n'),
    );
  });

  it('take the place of others', () => {
    expect(withReadings(file, { basketLimit: '100' })).toBe(file.replace('"10"', '"100"'));
  });

  it('get a section of their own where there is none', () => {
    for (const section of ['', 'interpretations:\n', 'interpretations: null\n']) {
      const written = withReadings(`name: Bank\n${section}`, { basketLimit: '10' });
      expect(written).toBe('name: Bank\ninterpretations:\n  basketLimit: "10"\n');
    }
  });
});
