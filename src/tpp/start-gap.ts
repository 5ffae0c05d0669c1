import { steadyNow } from '../spec/steady-clock.ts';

/** What is looked at together before the pace changes: so many answers, or what came in so many milliseconds. */
const windowOf = { answers: 16, ms: 250 } as const;

/**
 * What is remembered: the requests of so many milliseconds, and so many at least, whenever they were. A limit per second
 * takes all of a second's requests at its beginning and none after them, and those turned away may come back a second or two
 * later. No fewer than so many tell anything: of a bank that stumbles now and then, two in a row would.
 */
const memory = { ms: 3_000, least: 16, telling: 8 } as const;

/** A limit is one of a second, or longer. */
const secondMs = 1_000;

/**
 * The share turned away that is too large. At once one in five may be a bank that stumbles, and one in three is one that is
 * asked too often; for longer than a second, or where its limit is known already, far fewer tell.
 */
const tooMany = { atOnce: 0.3, forLong: 0.12 } as const;

/** A little less than what a bank has taken lets it recover. */
const aLittleLess = 0.9;

/** What is answered so shortly after a change had begun before it. */
const settlesMs = 300;

/** Asking less has helped where no more than so much of the share is left that was turned away before. */
const helps = 0.5;

/** So many times in a row in vain: what a bank takes at first may be more than it takes for long. */
const enoughInVain = 2;

/** What a bank that stumbles at any pace may turn away, of the share that it does; more than the most is no stumbling. */
const tolerance = { times: 1.5, plus: 0.05, most: 0.6 } as const;

/** For so long, and twice as long each time that it shows again: it may have been a limit after all. */
const toleratedMs = 8_000;

/**
 * How much quicker the bank is asked after a look: up to what it is known to take, and from there on, where that grows with
 * every look in which it takes all.
 */
const quicker = { upTo: 1.5, beyond: 1.02, atMost: 3 } as const;

/** For so many looks a bank is asked no more than it is known to take; for twice as many each time that more was too much. */
const holds = { first: 2, most: 128 } as const;

interface Answered {
  readonly at: number;
  readonly isTaken: boolean;
}

/**
 * The time from one start to the next. It grows to what the bank takes when it turns many requests away, and shrinks as soon
 * as it takes more. A bank that turns as many away when it is asked less stumbles by itself: asking it less would make a run
 * crawl and help nobody.
 */
export class StartGap {
  readonly #ownMs: number;
  readonly #mostMs: number;
  #ms: number;
  #window = emptyWindow();
  /** What became of the last requests, the oldest first. */
  #recent: Answered[] = [];
  /** Since when the bank has been asked as often as it is now, or more, but for small steps. */
  #changedAt = Number.NEGATIVE_INFINITY;
  /** What the bank is known to take; 0 as long as it takes everything. */
  #takesMs = 0;
  /** Looks for which it is asked no more than that, and how many of them are left. */
  #hold: number = holds.first;
  #holdLeft = 0;
  /** Looks in a row in which it took all, and was asked more each time. */
  #calmLooks = 0;
  /** When the bank was last asked less, and the share that it had turned away, until it is known whether that helps. */
  #slowed: { readonly at: number; readonly share: number } | undefined;
  #inVain = 0;
  /** The share that it turns away at any pace, and a little more; until when that holds. */
  #tolerated = { share: 0, until: Number.POSITIVE_INFINITY };
  #toleratedMs: number = toleratedMs;

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
    const old = this.#recent.findIndex(({ at }) => now - at <= memory.ms);
    this.#recent.splice(0, Math.max(0, Math.min(old, this.#recent.length - memory.least)));
  }

  #since(at: number): readonly Answered[] {
    return this.#recent.filter((answered) => answered.at > at + settlesMs);
  }

  /** Changes the pace when enough has been seen. */
  #look(): void {
    const { since, taken, turnedAway } = this.#window;
    const now = steadyNow();
    if (taken + turnedAway < windowOf.answers && now - since < windowOf.ms) return;
    this.#window = emptyWindow();
    this.#judgeSlowing(now);
    const { share, isTooLarge } = this.#turnedAway(now);
    if (!isTooLarge) this.#speedUp(turnedAway === 0);
    else if (turnedAway === 0 || this.#slowed !== undefined) return;
    else if (this.#ms < this.#takesMs) this.#goBack(now);
    else this.#slowDown(now, since, share);
  }

  #turnedAway(now: number): { readonly share: number; readonly isTooLarge: boolean } {
    if (now > this.#tolerated.until) this.#tolerated = { share: 0, until: Number.POSITIVE_INFINITY };
    const seen = this.#since(this.#changedAt);
    const isLong = now - (seen[0]?.at ?? now) >= secondMs || this.#takesMs > 0;
    const most = Math.max(this.#tolerated.share, isLong ? tooMany.forLong : tooMany.atOnce);
    const share = shareOf(seen);
    return { share, isTooLarge: seen.length >= memory.telling && share > most };
  }

  /** To a little less than it has taken in any second that is remembered. */
  #slowDown(now: number, since: number, share: number): void {
    const taken = this.#recent.filter(({ isTaken }) => isTaken).map(({ at }) => at);
    const tookMs = Math.max(now - Math.min(since, this.#recent[0]?.at ?? since), 1);
    const perMs = Math.max(taken.length / tookMs, mostWithin(taken, secondMs) / secondMs);
    const least = this.#takesMs > 0 ? this.#ms / aLittleLess : this.#ms;
    this.#ms = Math.max(this.#ownMs, Math.min(Math.max(1 / (perMs * aLittleLess), least), this.#mostMs));
    this.#takesMs = this.#ms;
    this.#holdLeft = this.#hold;
    this.#changedAt = now;
    this.#slowed = { at: now, share };
  }

  /** To what it is known to take, from more than that. */
  #goBack(now: number): void {
    this.#ms = this.#takesMs;
    this.#hold = Math.min(2 * this.#hold, holds.most);
    this.#holdLeft = this.#hold;
    this.#changedAt = now;
  }

  #speedUp(takesAll: boolean): void {
    if (this.#ms > this.#takesMs) {
      this.#ms = Math.max(this.#ms / quicker.upTo, this.#takesMs);
    } else if (this.#holdLeft > 0) {
      this.#holdLeft -= 1;
      this.#calmLooks = 0;
    } else {
      this.#calmLooks = takesAll ? this.#calmLooks + 1 : 0;
      if (takesAll) this.#takesMs = this.#ms;
      this.#ms /= Math.min(quicker.beyond ** (2 ** this.#calmLooks), quicker.atMost);
    }
    if (this.#ms <= Math.max(this.#ownMs, 1)) this.#takeUpOwnPace();
  }

  #takeUpOwnPace(): void {
    this.#ms = this.#ownMs;
    this.#takesMs = 0;
    this.#hold = holds.first;
    this.#holdLeft = 0;
    this.#calmLooks = 0;
  }

  /** Whether asking less has helped, as soon as that can be told. Where it has not, twice, the bank is asked as before. */
  #judgeSlowing(now: number): void {
    const slowed = this.#slowed;
    if (slowed === undefined) return;
    const seen = this.#since(slowed.at);
    const isLong = now - slowed.at >= memory.ms;
    if (seen.length < (isLong ? memory.telling : 2 * memory.least)) return;
    this.#slowed = undefined;
    const share = shareOf(seen);
    const hasHelped = share < slowed.share * helps;
    this.#inVain = hasHelped ? 0 : this.#inVain + 1;
    if (hasHelped) {
      const left = Math.min(share + tooMany.forLong, tolerance.most);
      this.#tolerated = { share: left, until: Number.POSITIVE_INFINITY };
    } else if (this.#inVain >= enoughInVain) {
      this.#inVain = 0;
      const stumbles = Math.min(tolerance.times * share + tolerance.plus, tolerance.most);
      this.#tolerated = { share: stumbles, until: now + this.#toleratedMs };
      this.#toleratedMs *= 2;
      this.#takeUpOwnPace();
      this.#changedAt = now;
    }
  }
}

/** The share of them that was turned away. */
const shareOf = (requests: readonly Answered[]): number =>
  requests.filter(({ isTaken }) => !isTaken).length / Math.max(requests.length, 1);

/** The most of these times within any time of that length. */
function mostWithin(times: readonly number[], ms: number): number {
  let first = 0;
  let most = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[first] ?? time) >= ms) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

const emptyWindow = () => ({ since: steadyNow(), taken: 0, turnedAway: 0 });
