import { Redactor } from '../tpp/redaction.ts';

/** Hides nothing and learns nothing, where only verdicts count: looking for secrets is a sixth of judging a TPP. */
export class NothingHidden extends Redactor {
  override know(): void {}
  override learn(): void {}

  override text(text: string): string {
    return text;
  }

  override told(text: string): string {
    return text;
  }

  override exchange<Shown>(exchange: Shown): Shown {
    return exchange;
  }
}
