import {
  aBasket,
  aCrossBorderPayment,
  aDomesticPayment,
  type Subject,
  theSandboxListing,
} from '../src/checks/subject.ts';

/** An operation under test: what the ids of its checks end with, and its valid requests. */
export interface NamedSubject {
  /** Empty for the domestic payment, whose checks bear the plain ids. */
  readonly suffix: string;
  readonly of: Subject;
}

export const domestic: NamedSubject = { suffix: '', of: aDomesticPayment() };
export const crossBorder: NamedSubject = { suffix: '-cross-border', of: aCrossBorderPayment() };
export const basket: NamedSubject = { suffix: '-basket', of: aBasket() };
export const sandbox: NamedSubject = { suffix: '-sandbox', of: theSandboxListing() };

export const payments: readonly NamedSubject[] = [domestic, crossBorder];
export const everyOperation: readonly NamedSubject[] = [domestic, crossBorder, basket, sandbox];
