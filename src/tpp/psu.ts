/** The customer on whose behalf requests are made, as the bank knows them. */
export interface Psu {
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId: string;
  readonly ipAddress: string;
  readonly redirectUri: string;
}
