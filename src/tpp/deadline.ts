import { steadyNow } from '../spec/steady-clock.ts';

class DeadlineError extends Error {
  override readonly name = 'TimeoutError';
}

/** After a time in which others have been answered it may be seen that a request is lost, before its time is over. */
export interface Doubt {
  readonly afterMs: number;
  /** Is asked again and again from then on. */
  isLost(): boolean;
}

/** From one look to the next. */
const lookMs = 500;

/** Calls `end` when the time is over, or the request is known to be lost; what it returns calls that off. */
export function setDeadline(
  timeoutMs: number,
  doubt: Doubt | undefined,
  end: (error: DeadlineError) => void,
): () => void {
  const begun = steadyNow();
  const look = (): void => {
    const leftMs = begun + timeoutMs - steadyNow();
    if (leftMs <= 0) end(new DeadlineError(`no answer within ${timeoutMs} ms`));
    else if (doubt?.isLost() === true)
      end(new DeadlineError(`no answer within ${steadyNow() - begun} ms, while others were answered`));
    else timer = setTimeout(look, Math.min(lookMs, leftMs));
  };
  let timer = setTimeout(look, Math.min(timeoutMs, doubt?.afterMs ?? timeoutMs));
  return () => clearTimeout(timer);
}
