import { BankClock } from './bank-clock.ts';
import { BusySessions } from './busy-sessions.ts';
import { GatewayWatch } from './gateway.ts';
import { KnownLines } from './header-reader.ts';
import { LargeBodies } from './large-bodies.ts';
import { LostRequests } from './lost-requests.ts';
import { MixedUpAnswers } from './mixed-up-answers.ts';
import { Ripening } from './ripening.ts';
import type { RequestDraft } from './signing-plan.ts';
import { Silences } from './silences.ts';
import { SpentLimits } from './spent-limits.ts';
import { Stumbles } from './stumbles.ts';

/** What all clients of one run know of the bank. */
export class Acquaintance {
  readonly clock = new BankClock();
  readonly gateway = new GatewayWatch();
  readonly mixedUp = new MixedUpAnswers();
  readonly sentLines = new KnownLines();
  readonly busy = new BusySessions();
  readonly ripening = new Ripening();
  readonly silences = new Silences();
  readonly stumbles = new Stumbles();
  readonly spent = new SpentLimits();
  readonly lost = new LostRequests();
  requests = 0;
  /** Requests that were answered, and those of them that had been turned away before. */
  answered = 0;
  recovered = 0;
  readonly large = new LargeBodies();
  /** Under way while it is in doubt whether the bank is there at all. */
  probing: Promise<void> | undefined;
  /** The latest request that the bank has answered as one that is there. */
  probe: (() => Promise<RequestDraft>) | undefined;

  /** To go on asking for such an operation would make the run crawl, and the pace has nothing to do with it. */
  isInVain(operation: string): boolean {
    return this.spent.has(operation) || this.lost.isHopeless(operation);
  }
}
