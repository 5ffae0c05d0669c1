import type { BankDesign } from './design/design.ts';
import type { BankState, RawRequest, Route } from './design/route.ts';
import type { Dispatch } from './http/dispatch.ts';
import { pagePath } from './sca/request-sca.ts';

/** A bank of one design. */
export interface Behaviour {
  readonly design: BankDesign;
  readonly state: BankState;
  readonly routes: readonly Route[];
  readonly dispatch: Dispatch;
}

/** As which it behaves, and for how many more requests of TPPs. */
interface Turn {
  readonly behaviour: Behaviour;
  left: number;
}

/** The PSU at the pages is not counted: only requests of a TPP are. */
const isCounted = ({ url }: RawRequest): boolean => !url.includes(pagePath(''));

/** One bank that behaves as another from now on, or for a while. */
export class ChangingBehaviour {
  #lasting: Turn;
  #current: Turn;

  constructor(usual: Behaviour) {
    this.#lasting = { behaviour: usual, left: Number.POSITIVE_INFINITY };
    this.#current = this.#lasting;
  }

  get current(): Behaviour {
    return this.#current.behaviour;
  }

  /** Infinite where it stays as it is. */
  get requestsLeft(): number {
    return this.#current.left;
  }

  changeTo(behaviour: Behaviour, requests = Number.POSITIVE_INFINITY): void {
    this.#current = { behaviour, left: requests };
    if (requests === Number.POSITIVE_INFINITY) this.#lasting = this.#current;
  }

  readonly dispatch: Dispatch = Object.assign(
    (raw: RawRequest) => {
      if (isCounted(raw)) this.#count();
      return this.current.dispatch(raw);
    },
    { unread: (...unread: Parameters<Dispatch['unread']>) => this.current.dispatch.unread(...unread) },
  );

  #count(): void {
    if (this.#current.left <= 0) this.#current = this.#lasting;
    this.#current.left -= 1;
  }
}
