import { conductDeviations } from './conduct-deviations.ts';
import type { TppDeviation } from './deviation.ts';
import { basketDeviations, bodyDeviations, headerDeviations } from './request-deviations.ts';
import { signingDeviations } from './signing-deviations.ts';

export const tppDeviations: readonly TppDeviation[] = [
  ...signingDeviations,
  ...headerDeviations,
  ...conductDeviations,
  ...bodyDeviations,
  ...basketDeviations,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
