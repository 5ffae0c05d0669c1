#!/usr/bin/env node

// It imports nothing by itself: where not even the commands can be read, Node would print a stack and end with 1, which is
// what a bank that fails ends with.
await import('./start.ts').catch((error: unknown) => {
  const { code, stack } = error as NodeJS.ErrnoException;
  const isLimit = code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM';
  process.stderr.write(
    isLimit
      ? `xs2a-conformance cannot be loaded: the system allows too little (${code}). Raise the limit, such as with ulimit -n 1024, and try again.\n`
      : `xs2a-conformance cannot be loaded. Install it anew.\n${stack ?? String(error)}\n`,
  );
  process.exit(isLimit ? 3 : 70);
});
