import { vi } from 'vitest';
import { runProgram } from './program.ts';

export interface Told {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process and keeps what it says. */
export async function tell(...args: readonly string[]): Promise<Told> {
  let out = '';
  let err = '';
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    }),
  ];
  try {
    const exitCode = await runProgram(['node', 'xs2a-conformance', ...args]);
    return { exitCode, out, err };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
