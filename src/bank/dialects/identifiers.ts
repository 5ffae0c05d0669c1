import { randomBytes, randomInt } from 'node:crypto';
import type { DesignChange } from '../design-changes.ts';
import { type Dialect, dialect } from './dialect.ts';

const identifiedBy =
  (newId: () => string): DesignChange =>
  (design) => ({
    ...design,
    payments: { ...design.payments, newPaymentId: newId, newBasketId: newId },
  });

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');

/** What ids look like is left open; those that need percent-encoding are seen in the wild. */
export const identifierDialects: readonly Dialect[] = [
  dialect(
    'ids/encrypted',
    'gives ids that need percent-encoding',
    identifiedBy(() => `enc!!${base64(24)}==`),
  ),
  dialect(
    'ids/odd',
    'gives ids with slashes, spaces and letters beyond ASCII',
    identifiedBy(() => `år/2026 ${base64(9)}?&#%;+`),
  ),
  dialect(
    'ids/long',
    'gives ids of 500 characters',
    identifiedBy(() => randomBytes(250).toString('hex')),
  ),
  dialect(
    'ids/digits',
    'gives ids of digits alone',
    identifiedBy(() => String(randomInt(2 ** 47))),
  ),
];
