/** The signals by which people and service managers end a process. */
const endings = ['SIGINT', 'SIGTERM'] as const;

export type Ending = (typeof endings)[number];

/**
 * Calls back at the first such signal; a second one ends the process at once, as if nobody had listened. Under npx a
 * signal ends the shell between npm and us without ever reaching us, so the loss of that parent counts as SIGTERM.
 */
export function onEnding(callback: (signal: Ending) => void): () => void {
  const listen = (signal: Ending): void => {
    stop();
    callback(signal);
  };
  const parent = process.ppid;
  const watch =
    process.env.npm_command === undefined
      ? undefined
      : setInterval(() => {
          if (process.ppid !== parent) listen('SIGTERM');
        }, 250).unref();
  const stop = (): void => {
    clearInterval(watch);
    for (const signal of endings) process.off(signal, listen);
  };
  for (const signal of endings) process.on(signal, listen);
  return stop;
}
