/** A signing basket as the bank keeps it. Its status is that of its payments, so it is not stored. */
export interface Basket {
  readonly basketId: string;
  readonly paymentIds: readonly string[];
  readonly tpp: string;
  readonly customerId: string | undefined;
  readonly corporateId: string | undefined;
  readonly createdAt: Date;
}
