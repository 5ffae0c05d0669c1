export const aborted = Symbol('aborted');

/** What the promise yields, or `aborted` as soon as the signal says so. Nobody waits for the promise then. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal?: AbortSignal,
): Promise<T | typeof aborted> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => {});
    return aborted;
  }
  let stop = (): void => {};
  const stopped = new Promise<typeof aborted>((resolve) => {
    stop = () => resolve(aborted);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    promise.catch(() => {});
  }
}
