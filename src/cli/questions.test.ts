import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { CommandError } from './exit-codes.ts';
import { interview } from './questions.ts';

describe('an interview', () => {
  it('takes the default for an empty answer, and asks again until the answer will do', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const talk = interview(input, output);
    const isDigits = (answer: string) => (/^\d+$/.test(answer) ? undefined : 'Digits, please.');
    const name = talk.ask({ text: 'Name', fallback: 'bank' });
    input.write('\n');
    expect(await name).toBe('bank');
    const account = talk.ask({ text: 'Account', problemWith: isDigits });
    input.write('letters\n');
    await vi.waitFor(() => expect(String(output.read())).toContain('Digits, please.'));
    input.write('123\n');
    expect(await account).toBe('123');
    talk.close();
  });

  it('ends the command when the input ends', async () => {
    const input = new PassThrough();
    const talk = interview(input, new PassThrough());
    const answer = talk.ask({ text: 'Name' });
    input.end();
    await expect(answer).rejects.toBeInstanceOf(CommandError);
  });
});
