/**
 * What ids of checks end with where one definition makes several of them; those of payment products stand in
 * `src/spec/products.ts`. Whatever comes before stands literally in a suite or in a table of `src/spec/`, so that a
 * search for `SIG-01` leads to SIG-01-basket.
 */
export const suffixes = {
  /** The same at another operation: SIG-01-basket, SIG-01-status. */
  basket: '-basket',
  sandbox: '-sandbox',
  accounts: '-accounts',
  transactions: '-transactions',
  status: '-status',
  deletion: '-deletion',
  /** At operations that the specification only refers to, all in one: SIG-01-elsewhere. */
  elsewhere: '-elsewhere',
  /** Where something is read in full, or taken back, that another request has created: SIG-01-details, SIG-01-baskets. */
  details: '-details',
  baskets: '-baskets',
  customers: '-customers',
  /** A field at its bound, or with each listed value: NDC-11 refuses what NDC-11-accepted comes close to. */
  accepted: '-accepted',
  /** The forms in which a remittance reference is sent: REM-01-array, REM-01-single. */
  array: '-array',
  single: '-single',
  /** Values of bookingStatus: ACC-21-both, ACC-21-all. */
  both: '-both',
  all: '-all',
  /** After the approval of a payment, where the plain id is about access: RDR-01-payment. */
  payment: '-payment',
  /** After the approval of baskets and cross-border payments: RDR-01-approvals. */
  approvals: '-approvals',
  /** After the PSU has cancelled it: OWN-03-cancelled. */
  cancelled: '-cancelled',
  /** Of a company, where the plain id is about a private PSU: RDR-01-corporate. */
  corporate: '-corporate',
  /** Of every answer of the run, where the plain id is about requests of its own: PAY-01-ever. */
  ever: '-ever',
  /** Next to what belongs there: BSK-17-beside with another payment, REM-01-beside with other members. */
  beside: '-beside',
  /** Without the header, in private context: HDN-18-private. */
  private: '-private',
  /** All optional headers in one request: HDN-02-together. */
  together: '-together',
  /** To whoever asks for XML: TRN-03-for-xml. */
  forXml: '-for-xml',
  /** To whoever asks for ISO-8859-1: TRN-05-for-latin-1. */
  forLatin1: '-for-latin-1',
  /** What Content-Type says: TRN-03-type. */
  type: '-type',
  /** In the 401 that asks for SCA, or where that leads: LNK-01-sca, TLS-01-sca. */
  sca: '-sca',
} as const;
