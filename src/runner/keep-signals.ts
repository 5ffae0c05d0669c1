const signals = ['SIGINT', 'SIGTERM'] as const;

/** Runs something and takes away what it set up for signals: how the process ends is decided by the command alone. */
export async function keepSignals<T>(work: () => Promise<T>): Promise<T> {
  const before = signals.map((signal) => process.listeners(signal));
  const result = await work();
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.off(signal, listener);
    }
  }
  return result;
}
