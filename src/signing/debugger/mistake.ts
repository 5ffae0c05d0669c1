/** One header of the signing string. */
export type SignedLine = readonly [name: string, value: string];

/** Something that a TPP does otherwise than the specification has it. */
export interface Mistake {
  /** Stays the same whatever the request: `line-left-out`. */
  readonly id: string;
  /** Goes on after "The signature fits if": `the line digest is left out`. */
  readonly mistake: string;
  readonly remedy: string;
}

/** A mistake, and what becomes of something by it. */
export interface Variant<Made> extends Mistake {
  readonly made: Made;
}
