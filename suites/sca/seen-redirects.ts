import type { CheckContext } from '../../src/checks/context.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import type { Psu } from '../../src/tpp/call.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';

/** How the PSU came back to the TPP, and in whose session SCA was begun. */
export interface SeenRedirect {
  readonly back: ScaReturn;
  readonly psu: Psu;
}

/** With what the check that walked has told of it. */
interface Walk extends SeenRedirect, Pick<CheckContext, 'exchanges' | 'notes' | 'calledProfiles'> {}

/** The redirects that several checks look at, each for something else. */
const walks = new KeptInRun<string, Promise<Walk>>();

/** What the first check has seen that walks there. A walk that came to nothing says nothing of the next. */
export async function seenOnce(
  context: CheckContext,
  occasion: string,
  walk: () => Promise<SeenRedirect>,
): Promise<SeenRedirect> {
  let isFirst = false;
  const walked = walks.of(context.run, occasion, async () => {
    isFirst = true;
    const before = context.exchanges.length;
    const redirect = await walk();
    return {
      ...redirect,
      exchanges: context.exchanges.slice(before),
      notes: [...context.notes],
      calledProfiles: new Set(context.calledProfiles),
    };
  });
  if (isFirst) return walked;
  const seen = await walked.catch(() => undefined);
  if (seen === undefined) return walk();
  for (const exchange of seen.exchanges) context.adopt(exchange);
  for (const note of seen.notes) context.note(note);
  for (const profile of seen.calledProfiles) context.calledProfiles.add(profile);
  return seen;
}
