/** The signals by which people and service managers end a process. */
const endings = ['SIGINT', 'SIGTERM'] as const;

export type Ending = (typeof endings)[number];

/** Calls back at the first such signal; a second one ends the process at once, as if nobody had listened. */
export function onEnding(callback: (signal: Ending) => void): () => void {
  const listen = (signal: Ending): void => {
    stop();
    callback(signal);
  };
  const stop = (): void => {
    for (const signal of endings) process.off(signal, listen);
  };
  for (const signal of endings) process.on(signal, listen);
  return stop;
}
