import type { HtmlPage } from './html-page.ts';

/** Which pages are followed by one that can be cancelled. Whoever passes SCA sees it, and whoever cancels goes by it. */
export class PagesAhead {
  readonly #followed = new Set<string>();

  /** To be told of each page of one walk, in turn. */
  walk(): (page: HtmlPage, canBeCancelled: boolean) => void {
    const before: string[] = [];
    return (page, canBeCancelled) => {
      if (canBeCancelled) for (const key of before) this.#followed.add(key);
      before.push(keyOf(page));
    };
  }

  areCancelledBehind(page: HtmlPage): boolean {
    return this.#followed.has(keyOf(page));
  }
}

/** A page by what it asks for; tokens, accounts and amounts differ from one walk to the next. */
const keyOf = ({ title, forms }: HtmlPage): string =>
  JSON.stringify([
    title,
    forms
      .filter(({ isBeside }) => !isBeside)
      .map(({ controls }) => [
        ...new Set(
          controls.map(({ kind, name, label }) => `${kind} ${name} ${kind === 'button' ? label : ''}`),
        ),
      ]),
  ]);
