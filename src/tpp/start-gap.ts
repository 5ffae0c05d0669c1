import { steadyNow } from '../spec/steady-clock.ts';

/** What is looked at together before the pace changes: so many answers, or what came in so many milliseconds. */
const windowOf = { answers: 16, ms: 250 } as const;

/** One request in five that is turned away is a bank that stumbles; one in three is a bank that is asked too often. */
const tooManyTurnedAway = 0.3;

/**
 * How often requests are turned away is told by those of so many milliseconds: a limit per second takes all of a second's
 * requests at its beginning, and none after them. Where the bank is asked slowly, there are one or two of them, and of a
 * bank that stumbles now and then every other look would have the slowest pace follow: then so many tell, whenever they
 * were, and no fewer than so many.
 */
const lastRequests = { ms: 2_000, most: 16, fewest: 8 } as const;

/** A little less than what a bank has taken lets it recover. */
const aLittleLess = 0.9;

/** Whoever turns away as large a share of fewer requests would do so at any pace. */
const asMany = { least: 0.5, most: 1.3 } as const;

/** So many times in a row: what it has taken at first may have been more than it takes for long. */
const enoughInVain = 2;

/** The share that a bank may turn away that stumbles at any pace, next to what it did, and at most: more is no stumbling. */
const tolerance = { times: 1.5, most: 0.6 } as const;

/** What is answered so shortly after a change had begun before it. */
const settlesMs = 300;

/**
 * How much quicker the bank is asked after a look: up to what it was found to take, and from there on, where that grows with
 * every look in which it takes all.
 */
const quicker = { upTo: 1.5, beyond: 1.02, atMost: 3 } as const;

interface Answered {
  readonly at: number;
  readonly isTaken: boolean;
}

/**
 * The time from one start to the next. It grows to what the bank takes when it turns many requests away, and shrinks as soon
 * as it no longer does. A bank that turns as many away when it is asked less stumbles by itself: asking it less would make a
 * run crawl and help nobody.
 */
export class StartGap {
  readonly #ownMs: number;
  readonly #mostMs: number;
  #ms: number;
  #window = emptyWindow();
  /** What became of the last requests, the oldest first. */
  #recent: Answered[] = [];
  /** The share that may be turned away. */
  #tolerated: number = tooManyTurnedAway;
  /** When the bank was last asked less, and the share that it had turned away, until it is known whether that helps. */
  #slowed: { readonly at: number; readonly share: number } | undefined;
  /** How often in a row that has not helped. */
  #inVain = 0;
  /** What the bank was last found to take. */
  #takesMs = 0;
  /** Looks in a row in which it took that and more. */
  #calmLooks = 0;

  /** Never shorter than the one, which the user has asked for, and never longer than the other. */
  constructor(ownMs: number, mostMs: number) {
    this.#ownMs = ownMs;
    this.#mostMs = mostMs;
    this.#ms = ownMs;
  }

  get ms(): number {
    return this.#ms;
  }

  taken(): void {
    this.#window.taken += 1;
    this.#remember(true);
    this.#look();
  }

  turnedAway(): void {
    this.#window.turnedAway += 1;
    this.#remember(false);
    this.#look();
  }

  /** Whoever is back after an outage is another one than who turned everything away. */
  forget(): void {
    this.#recent = [];
    this.#slowed = undefined;
  }

  #remember(isTaken: boolean): void {
    const now = steadyNow();
    this.#recent.push({ at: now, isTaken });
    const old = this.#recent.findIndex(({ at }) => now - at <= lastRequests.ms);
    this.#recent.splice(0, Math.max(0, Math.min(old, this.#recent.length - lastRequests.most)));
  }

  /** Changes the pace when enough has been seen. */
  #look(): void {
    const { since, taken, turnedAway } = this.#window;
    const now = steadyNow();
    if (taken + turnedAway < windowOf.answers && now - since < windowOf.ms) return;
    this.#window = emptyWindow();
    this.#judgeSlowing();
    const { share, seen } = shareOf(this.#recent);
    if (seen < lastRequests.fewest || share <= this.#tolerated) this.#speedUp(turnedAway === 0);
    else if (turnedAway > 0 && this.#slowed === undefined) this.#slowDown(now, since, share);
  }

  /** To what it has taken in the time that is remembered. */
  #slowDown(now: number, since: number, share: number): void {
    const tookMs = now - Math.min(since, this.#recent[0]?.at ?? since);
    const taken = this.#recent.filter(({ isTaken }) => isTaken).length;
    const takes = Math.max(tookMs, 1) / Math.max(taken * aLittleLess, 0.5);
    this.#ms = Math.max(this.#ownMs, Math.min(Math.max(takes, this.#ms), this.#mostMs));
    this.#takesMs = this.#ms;
    this.#slowed = { at: now, share };
  }

  #speedUp(takesAll: boolean): void {
    const isBeyond = this.#ms <= this.#takesMs;
    this.#calmLooks = isBeyond && takesAll ? this.#calmLooks + 1 : 0;
    const beyond = Math.min(quicker.beyond ** (2 ** this.#calmLooks), quicker.atMost);
    const next = this.#ms / (isBeyond ? beyond : quicker.upTo);
    this.#ms = next < 1 ? this.#ownMs : Math.max(this.#ownMs, next);
  }

  /** Whether asking less has helped, as soon as that can be told. Where it has not, twice, the bank is asked as before. */
  #judgeSlowing(): void {
    const slowed = this.#slowed;
    if (slowed === undefined) return;
    const { share, seen } = shareOf(this.#recent.filter(({ at }) => at > slowed.at + settlesMs));
    if (seen < lastRequests.most) return;
    this.#slowed = undefined;
    const isTheSame = share > slowed.share * asMany.least && share < slowed.share * asMany.most;
    this.#inVain = isTheSame ? this.#inVain + 1 : 0;
    this.#tolerated = tooManyTurnedAway;
    if (this.#inVain < enoughInVain) return;
    this.#inVain = 0;
    this.#tolerated = Math.min(tolerance.times * share, tolerance.most);
    this.#takesMs = 0;
    this.#ms = this.#ownMs;
  }
}

/** How many there are, and the share of them that was turned away. */
function shareOf(requests: readonly Answered[]): { readonly seen: number; readonly share: number } {
  const seen = requests.length;
  return { seen, share: seen === 0 ? 0 : requests.filter(({ isTaken }) => !isTaken).length / seen };
}

const emptyWindow = () => ({ since: steadyNow(), taken: 0, turnedAway: 0 });
