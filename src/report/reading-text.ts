import type { RunHeader } from '../checks/verdict.ts';
import { interpretationList } from '../spec/interpretations.ts';

/** One place where the specification leaves something open, and how this run read it. */
export interface Reading {
  readonly id: string;
  /** What is left open; empty for an id that this version does not know. */
  readonly question: string;
  /** The chosen value, with its meaning where it is known. */
  readonly taken: string;
}

const known = new Map(interpretationList.map((interpretation) => [interpretation.id, interpretation]));

/** All readings of a run, as its header names them. */
export function readingsOf({ interpretations }: RunHeader): readonly Reading[] {
  return Object.entries(interpretations).map(([id, value]) => reading(id, value));
}

/** The reading that a requirement rests on, in one line. */
export function readingText(id: string, { interpretations }: RunHeader): string {
  const value = interpretations[id];
  return value === undefined ? id : `${id} = ${reading(id, value).taken}`;
}

function reading(id: string, value: string): Reading {
  const interpretation = known.get(id);
  const meaning = interpretation?.values[value];
  return {
    id,
    question: interpretation?.question ?? '',
    taken: meaning === undefined ? value : `${value}: ${meaning}`,
  };
}
