import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';

/** Whether certificates of others than trusted TPPs with the right role are refused here, for all that is said. */
export const areCertificatesJudged = ({ certificateTrust }: Readings): boolean =>
  certificateTrust === 'everywhere';

export const whereCertificatesAreJudged =
  (level: Level) =>
  (readings: Readings): Level | undefined =>
    areCertificatesJudged(readings) ? level : undefined;
