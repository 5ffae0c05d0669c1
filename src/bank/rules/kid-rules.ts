import { memberAt, textAt } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import { type Rule, rule } from '../design/route.ts';

/**
 * KID: 2 to 25 digits, the last one a check digit by modulus 10 or by modulus 11, where `-` stands for 10.
 */
export function isValidKid(reference: string): boolean {
  return (
    /^\d{1,24}[\d-]$/.test(reference) && (isValidByModulus10(reference) || isValidByModulus11(reference))
  );
}

export function isValidByModulus10(kid: string): boolean {
  if (kid.endsWith('-')) return false;
  const sum = [...kid].toReversed().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
}

function isValidByModulus11(kid: string): boolean {
  const payload = [...kid.slice(0, -1)].toReversed();
  const sum = payload.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return kid.endsWith(check === 10 ? '-' : String(check));
}

/** Whoever is paid there has agreed with the bank that payments bear a KID. */
export const kidAccount = '86011118013';

/** Errors: OCR/KID faults are answered 400. An OCR/KID reference belongs in the structured form. */
export function kidRules(design: BankDesign): readonly Rule[] {
  return [
    rule('ERR-02', 'a KID has a valid check digit', 'kid', ({ body }) => {
      const wrong = structuredReferences(body).find(
        ({ value }) =>
          design.isTakenForKid(value, body) && !design.isValidKid(textAt(value, 'reference') ?? ''),
      );
      return wrong === undefined
        ? undefined
        : { text: 'The reference is not a valid KID.', path: `${wrong.path}.reference` };
    }),
    rule('ERR-02', 'a payment to an account that demands a KID has one', 'kidMissing', ({ body }) =>
      textAt(body, 'creditorAccount', 'bban') === kidAccount &&
      !structuredReferences(body).some(({ value }) => design.isTakenForKid(value, body))
        ? { text: 'Payments to this account bear a KID.', path: 'remittanceInformationStructuredArray' }
        : undefined,
    ),
  ];
}

function structuredReferences(body: unknown): readonly { readonly value: unknown; readonly path: string }[] {
  const single = memberAt(body, 'remittanceInformationStructured');
  const several = memberAt(body, 'remittanceInformationStructuredArray');
  return [
    ...(single === undefined ? [] : [{ value: single, path: 'remittanceInformationStructured' }]),
    ...(Array.isArray(several)
      ? several.map((value: unknown, index) => ({
          value,
          path: `remittanceInformationStructuredArray[${index}]`,
        }))
      : []),
  ].filter(({ value }) => textAt(value, 'reference') !== undefined);
}

/** Named as KID or OCR, or unnamed and of the form of one: digits, perhaps with the check character `-`. */
export function looksLikeKid(reference: unknown): boolean {
  const type = textAt(reference, 'referenceType');
  if (type !== undefined) return /^(?:kid|ocr)$/i.test(type);
  return /^\d{1,24}[\d-]$/.test(textAt(reference, 'reference') ?? '');
}
