/** What the system holds back, which is neither the bank's fault nor ours, and what to do about it. */
const limits: Readonly<Record<string, string>> = {
  EMFILE: 'This process may open too few files. Raise the limit, such as with ulimit -n 1024, and try again.',
  ENFILE: 'The machine has too many files open. Close other programs, and try again.',
  ENOMEM: 'The machine has too little memory left. Close other programs, and try again.',
  EAGAIN:
    'This user may start too few processes and threads. Raise the limit, such as with ulimit -u, and try again.',
};

/** In words what a limit of the system has stopped; undefined where something else went wrong. */
export function systemLimit(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', cause } = error as NodeJS.ErrnoException;
  return limits[code] ?? limits[codeOfWorker(code, error.message)] ?? systemLimit(cause);
}

/** Where a thread cannot be started, Node tells why in its message alone: `Worker initialization failure: EMFILE`. */
const codeOfWorker = (code: string, message: string): string =>
  code === 'ERR_WORKER_INIT_FAILED' ? (/: (E[A-Z]+)$/.exec(message)?.[1] ?? '') : '';
