import { has, memberAt, textAt } from '../../spec/json.ts';
import type { BankRequest } from '../design/route.ts';
import { type Deviation, domestic, inOneContext, refuses } from './deviation.ts';

const forms = [
  ['NDC-65', 'remittanceInformationStructuredArray', 'the array'],
  ['NDC-66', 'remittanceInformationStructured', 'the single form'],
] as const;

const referencesIn = ({ body }: BankRequest): readonly unknown[] =>
  forms.flatMap(([, field]) => [memberAt(body, field)].flat());

/** A number that is written as it was after it was kept as one. */
const isKeptWell = (reference: string): boolean => String(Number(reference)) === reference;

const isKid = (reference: string): boolean => /^\d{2,25}$/.test(reference);

const isReferred =
  (isRefused: (reference: string) => boolean) =>
  (request: BankRequest): boolean =>
    referencesIn(request).some((one) => isRefused(textAt(one, 'reference') ?? ''));

/** Structured references that are right, and not taken. */
export const referenceDeviations: readonly Deviation[] = inOneContext(
  // In ISO 20022 the issuer is a part of the type.
  ...forms.map(([requirement, field, where]) =>
    refuses(
      `${requirement}/issuer-with-type`,
      `takes no referenceIssuer without a referenceType in ${where}`,
      domestic,
      ({ body }) =>
        [memberAt(body, field)]
          .flat()
          .some((one) => has(one, 'referenceIssuer') && !has(one, 'referenceType')),
    ),
  ),
  refuses(
    'REM-11/as-number',
    'keeps KIDs as numbers, and takes none that is another one then',
    domestic,
    isReferred((reference) => isKid(reference) && !isKeptWell(reference)),
  ),
  refuses(
    'REM-11/zero-first',
    'takes no KID that begins with a zero',
    domestic,
    isReferred((reference) => isKid(reference) && reference.startsWith('0')),
  ),
  refuses(
    'REM-11/not-the-longest',
    'takes no KID of more than 20 digits',
    domestic,
    isReferred((reference) => isKid(reference) && reference.length > 20),
  ),
);
