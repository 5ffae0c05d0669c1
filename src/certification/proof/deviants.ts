import { conductDeviants } from './conduct-deviants.ts';
import type { DeviantTpp } from './deviant.ts';
import { basketDeviants, bodyDeviants, headerDeviants } from './request-deviants.ts';
import { signingDeviants } from './signing-deviants.ts';

export const deviantTpps: readonly DeviantTpp[] = [
  ...signingDeviants,
  ...headerDeviants,
  ...conductDeviants,
  ...bodyDeviants,
  ...basketDeviants,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
