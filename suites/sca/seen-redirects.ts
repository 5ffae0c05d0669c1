import type { CheckContext, RunContext } from '../../src/checks/context.ts';
import type { Psu } from '../../src/tpp/call.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';

/** How the PSU came back to the TPP, and in whose session SCA was begun. */
export interface SeenRedirect {
  readonly back: ScaReturn;
  readonly psu: Psu;
}

/** With what the check that walked has told of it. */
interface Walk extends SeenRedirect, Pick<CheckContext, 'exchanges' | 'notes' | 'calledProfiles'> {}

/** By run: the redirects that several checks look at, each for something else. */
const walks = new WeakMap<RunContext, Map<string, Promise<Walk>>>();

/** What the first check has seen that walks there. A walk that came to nothing says nothing of the next. */
export async function seenOnce(
  context: CheckContext,
  occasion: string,
  walk: () => Promise<SeenRedirect>,
): Promise<SeenRedirect> {
  const ofRun = walks.get(context.run) ?? new Map<string, Promise<Walk>>();
  walks.set(context.run, ofRun);
  const known = ofRun.get(occasion);
  if (known === undefined) {
    const before = context.exchanges.length;
    const seen = walk().then((redirect) => ({
      ...redirect,
      exchanges: context.exchanges.slice(before),
      notes: [...context.notes],
      calledProfiles: new Set(context.calledProfiles),
    }));
    ofRun.set(occasion, seen);
    return seen;
  }
  const seen = await known.catch(() => undefined);
  if (seen === undefined) return walk();
  for (const exchange of seen.exchanges) context.adopt(exchange);
  for (const note of seen.notes) context.note(note);
  for (const profile of seen.calledProfiles) context.calledProfiles.add(profile);
  return seen;
}
