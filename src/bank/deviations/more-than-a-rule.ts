import type { DesignChange } from '../design-changes.ts';
import { trustsPsuWhen } from './other-psus.ts';

const sessionless = trustsPsuWhen(
  (request, standing) => standing === 'no-session' && request.header('tpp-session-id') === undefined,
);
const nameless = trustsPsuWhen(
  (request, standing) =>
    standing === 'unknown-psu' &&
    request.header('psu-id') === undefined &&
    request.header('x-psu-identity') === undefined,
);
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const oddlyNamed = trustsPsuWhen(
  (request, standing) => standing === 'unknown-psu' && !uuid.test(request.header('psu-id') ?? ''),
);

/**
 * Requirements that the bank keeps in more than one place: without the rule alone it would refuse for another reason.
 * The value is what has to change with the rule.
 */
export const alsoChanged: Readonly<Partial<Record<string, DesignChange>>> = {
  'HDN-08': sessionless,
  'HDC-08': sessionless,
  'HDB-08': sessionless,
  'HDN-15': nameless,
  'HDC-15': nameless,
  'HDB-15': nameless,
  'HDN-16': oddlyNamed,
  'HDC-16': oddlyNamed,
  'HDB-16': oddlyNamed,
};

/** Rules whose absence breaks nothing, because another rule refuses the same requests for good. */
export const redundant: readonly string[] = [
  // A payment id that is no string is the id of no payment.
  'BSK-03',
];
