/** The customer on whose behalf requests are made, as the bank knows them. */
export interface Psu {
  readonly id?: string;
  readonly corporateId?: string;
  /** X-PSU-IDENTITY, the alternative to PSU-ID on payment creation; the context that it needs goes with it. */
  readonly nationalId?: string;
  readonly sessionId: string;
  readonly ipAddress: string;
  readonly redirectUri: string;
}
