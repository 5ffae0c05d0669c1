/** What customers are called that the suite creates in a sandbox, and removes again. */
export const ownCustomerName = 'Conformance check';

/** They are not of the initial data set, and go away while others may still need them. */
export const isOwnCustomer = (name: unknown): boolean =>
  typeof name === 'string' && name.startsWith(ownCustomerName);
