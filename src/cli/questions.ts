import { createInterface } from 'node:readline/promises';
import { CommandError } from './exit-codes.ts';

/** One question; what is wrong with an answer, or undefined when it will do. */
export interface Question {
  readonly text: string;
  readonly fallback?: string;
  readonly problemWith?: (answer: string) => string | undefined;
}

export interface Interview {
  ask(question: Question): Promise<string>;
  close(): void;
}

/** Asks on the terminal until the answer will do. Ctrl-C and the end of input end the command, with nothing done. */
export function interview(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Interview {
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  return {
    async ask({ text, fallback, problemWith }) {
      const prompt = `${text}${fallback === undefined ? '' : ` [${fallback}]`}: `;
      for (;;) {
        const typed = await lines.question(prompt, { signal: ended.signal }).catch(() => {
          throw new CommandError('\nStopped; nothing was written.');
        });
        const answer = typed.trim() || fallback || '';
        const problem = problemWith?.(answer);
        if (problem === undefined) return answer;
        output.write(`  ${problem}\n`);
      }
    },
    close: () => lines.close(),
  };
}
