import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckContext } from '../../src/checks/context.ts';
import { endedByOthers } from '../../src/checks/ended-sessions.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { callAgainAfterSca, type Login } from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

/** Times that a session has to hold by itself, and about as long as what may have ended it took. */
const times = 3;
const pauseMs = 100;

/**
 * The control of a session that has ended, and should not have: SCA is passed in it again, and nothing else is done.
 * Where it ends all the same, somebody else ends it, such as another run with the same customers (Limits).
 */
export async function mustHoldOtherwise(context: CheckContext, login: Login, ended: Answer): Promise<void> {
  if (!ended.asksForSca || context.missing('sca-unattended') !== undefined) return;
  for (let time = 1; time <= times; time += 1) {
    const begun = await callAgainAfterSca(context, login, accounts, 'control, after SCA');
    if (!begun.asksForSca) await sleep(pauseMs);
    const still = await login.call(accounts, {}, 'control, with nothing in between');
    if (begun.asksForSca || still.asksForSca) throw new Inconclusive(endedByOthers);
  }
}
