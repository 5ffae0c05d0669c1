/** Somebody whom the SCA page of the reference bank lets in. */
export interface ShownCustomer {
  readonly customerNumber: string;
  readonly type: string;
  readonly name: string;
  readonly accounts: readonly { readonly bban: string; readonly currency: string }[];
  readonly cards: readonly string[];
}

/** The customers of the reference bank for people who try it by hand, within 80 columns. */
export const customerLines = (customers: readonly ShownCustomer[]): readonly string[] => [
  'Customers; their number is what the SCA page asks for:',
  ...customers.flatMap(({ customerNumber, type, name, accounts, cards }) => [
    `  ${customerNumber}  ${type.padEnd('CORPORATE'.length)}  ${name}`,
    `               ${[
      ...accounts.map(({ bban, currency }) => `${bban} ${currency}`),
      ...cards.map((card) => `card ${card}`),
    ].join('  ')}`,
  ]),
];
