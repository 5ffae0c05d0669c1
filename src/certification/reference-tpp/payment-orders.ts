import type { JsonObject } from '../../payloads/json.ts';
import { exampleKids } from '../journeys.ts';

/** The accounts that the reference TPP pays from and to. */
export interface OrderFacts {
  readonly debtor: { readonly bban: string; readonly currency: string };
  readonly corporateDebtor: { readonly bban: string; readonly currency: string };
  readonly card: { readonly identification: string; readonly currency: string };
}

const creditor = { bban: '86011117947', currency: 'NOK' } as const;
const address = {
  street: 'Storgata',
  buildingNumber: '1',
  postalCode: '0155',
  city: 'Oslo',
  country: 'NO',
} as const;

/** A domestic payment, with what is different about it. */
export const domesticOrder = (
  debtorAccount: JsonObject,
  amount: string,
  differences: JsonObject = {},
): JsonObject => ({
  instructedAmount: { amount, currency: 'NOK' },
  creditorName: 'Bokhandelen på Torget AS',
  creditorAccount: creditor,
  creditorAddress: address,
  debtorAccount,
  remittanceInformationUnstructured: 'Bøker og blader',
  ...differences,
});

export const toCurrencyAccount: JsonObject = {
  creditorAccount: { bban: '86011117947', currency: 'EUR' },
  creditorAgent: 'DNBANOKKXXX',
};

/** An invoice is paid with its KID and without a text. */
export const invoiceOrder = (debtorAccount: JsonObject, amount: string): JsonObject => {
  const { remittanceInformationUnstructured: _, ...order } = domesticOrder(debtorAccount, amount);
  return { ...order, remittanceInformationStructuredArray: [{ reference: exampleKids[0] }] };
};

export const cardAccount = ({ card }: OrderFacts): JsonObject => ({
  currency: card.currency,
  other: { identification: card.identification, schemeNameProprietary: 'creditCardAccount' },
});

const abroad = { street: 'Friedrichstraße', postalCode: '10117', city: 'Berlin', country: 'DE' } as const;

/** To an IBAN in Germany, above the limit of regulatory reporting. */
export const largeCrossBorderOrder = (debtorAccount: JsonObject, amount: string): JsonObject => ({
  instructedAmount: { amount, currency: 'NOK' },
  creditorName: 'Maschinenbau Müller GmbH',
  creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
  creditorAddress: abroad,
  debtorAccount,
  remittanceInformationUnstructured: 'Invoice 2026-117',
  purposeCode: 'SUPP',
  regulatoryReportingCode: '14',
  regulatoryReportingInformation: 'Machine parts',
});

/** To an account in a country without IBANs, and without decimals. */
export const yenOrder = (debtorAccount: JsonObject, amount: string): JsonObject => ({
  instructedAmount: { amount, currency: 'JPY' },
  creditorName: 'Kyoto Books',
  creditorAgent: 'BOTKJPJTXXX',
  creditorAccount: { bban: '1234567', currency: 'JPY' },
  debtorAccount,
});

/** One of those that are approved together. */
export const sharedOrder: JsonObject = { creditorName: 'Fellesinnkjøpet SA' };
