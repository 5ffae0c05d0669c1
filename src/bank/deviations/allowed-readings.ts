import type { Readings } from '../../spec/interpretations.ts';

/**
 * Deviations that are exactly what another allowed value of a reading says: a target file that chooses it, or learns it
 * of the bank, makes them right. Of no other deviation may learning do so, which the proof holds.
 */
export const allowedReadings: Readonly<Record<string, Partial<Readings>>> = {
  'AMT-03/unchecked': { amountFractionDigits: 'at-most' },
  'AMT-03/unchecked-at-domestic': { amountFractionDigits: 'at-most' },
  'AMT-03/unchecked-at-cross-border': { amountFractionDigits: 'at-most' },
  'AMT-03/whole-amounts': { amountFractionDigits: 'at-most' },
  'AMT-03/one-fewer': { amountFractionDigits: 'at-most' },
  'NDC-05/unchecked-instructedamount-amount-has-no-fewer-fraction-digits-than-its-currency': {
    amountFractionDigits: 'at-most',
  },
  'NCB-05/unchecked-instructedamount-amount-has-no-fewer-fraction-digits-than-its-currency': {
    amountFractionDigits: 'at-most',
  },
  'NDC-11/in-bytes': { lengthUnit: 'ascii-only' },
  'BSK-12/ten': { basketLimit: '10' },
  'BSK-12/ten-without-links': { basketLimit: '10' },
  // Companies keep to the other of the two limits that the specification states, which no reading forbids.
  'BSK-12/ten-of-people': { basketLimit: '10' },
};
