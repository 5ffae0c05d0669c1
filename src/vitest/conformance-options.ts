/** What a user of the tests may choose. It is published with its types, so it imports nothing. */
export interface ConformanceOptions {
  /** The target file; by default the one in XS2A_TARGET, and without any the embedded reference bank. */
  readonly target?: string;
  /** Settings above the target file, by their keys: `{ 'psu.id': '…' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** Only these checks, requirements or suites, as in `run --only`. */
  readonly only?: readonly string[];
  /** Draws the same cases again; by default the number in XS2A_SEED, or any. */
  readonly seed?: number;
  /** Cases of each property; by default the number in XS2A_RUNS, or 10. */
  readonly runs?: number;
  /** Creates payments although the target is a production environment. */
  readonly allowProductionPayments?: boolean;
}
