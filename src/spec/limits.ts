/** The numbers of the specification, each once. Field lengths stand with their fields in `bodies/`. */
export const limits = {
  /** Greatest deviation of the `Date` header, in seconds. */
  clockDeviationSeconds: 60,
  /** Payments in a signing basket. */
  basketPayments: 100,
  /** The older basket limit that the field description still states. */
  basketPaymentsFormerly: 10,
  /** SCA validity within a TPP-Session-ID, in seconds. */
  sessionSeconds: 3600,
  /** Calls without the PSU present, per account and kind, in 24 hours. */
  unattendedCalls: 4,
  /** Greatest age of transactions read without the PSU present, in days. */
  unattendedTransactionDays: 90,
  /** Days after which SCA has to be renewed. */
  scaRenewalDays: 180,
  /** Transactions on a page when no parameters are given. */
  transactionPageSize: 200,
  /** NOK amount from which a cross-border transfer needs regulatory reporting, in øre. */
  regulatoryReportingFromOere: 10_000_000,
  amountPrecision: 18,
  amountScale: 5,
} as const;
