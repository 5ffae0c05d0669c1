import type { BankDesign } from '../design.ts';
import { memberAt, textAt } from '../json.ts';
import type { Rule } from '../route.ts';
import { ruleMaker } from './rule.ts';

/** Errors: OCR/KID faults are answered 400. An OCR/KID reference belongs in the structured form. */
export function kidRules(design: BankDesign): readonly Rule[] {
  return [
    ruleMaker(design.refusals)('ERR-02', 'a KID has a valid check digit', 'kid', ({ body }) => {
      const wrong = structuredReferences(body).find(
        ({ value }) => design.isMeantAsKid(value) && !design.isValidKid(textAt(value, 'reference') ?? ''),
      );
      return wrong === undefined
        ? undefined
        : { text: 'The reference is not a valid KID.', path: `${wrong.path}.reference` };
    }),
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
