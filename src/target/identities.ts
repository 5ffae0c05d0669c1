import {
  authorityOfLeaf,
  type CertificateAuthority,
  createCertificateAuthority,
  createTwinOfIssuer,
  signItself,
  type TppCertificateOptions,
} from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { dayMs } from '../spec/days.ts';
import { onceDone } from '../spec/once.ts';

/**
 * Handed over ready-made, or minted at the first call and kept. What has expired, or is not valid yet, is so by the time at
 * the bank, and minted anew when that has moved on.
 */
export type IdentitySource = (timeAtBank?: Date) => Promise<SigningIdentity>;

/** Identities that a target file may hand over in addition to the main one. */
export const furtherIdentityNames = [
  'aispOnly',
  'pispOnly',
  'roleless',
  'expired',
  'notYetValid',
  'oddIssuer',
  'second',
] as const;
export type FurtherIdentityName = (typeof furtherIdentityNames)[number];

/** A source that is missing was not handed over, and there is no test CA to mint it from. */
export interface TargetIdentities extends Readonly<Partial<Record<FurtherIdentityName, IdentitySource>>> {
  readonly main: SigningIdentity;
  /** As the main one, but issued by an authority of our own that bears the name of the real issuer. */
  readonly untrustedTwin: IdentitySource;
  /** The same TPP, vouched for by an authority of another name that nobody trusts. */
  readonly unknownTpp: IdentitySource;
  /** The same TPP, vouched for by its own certificate, which is that of no authority. */
  readonly issuedByTpp: IdentitySource;
  /** The same key, vouched for by itself under the name of the real issuer. */
  readonly selfSigned: IdentitySource;
  /** The same TPP as one that issues cards and does nothing else (PSP_IC), where there is a test CA to mint it from. */
  readonly cardIssuerOnly?: IdentitySource;
  /** More TPPs where the second is minted, too: what one of them does in turn, all of them do side by side. */
  readonly further?: readonly IdentitySource[];
}

/** More than clocks of one bank differ by, and less than any grace that somebody would give. */
const shortTime = 30 * 60 * 1000;

/** For so long it is expired, or not valid yet, by nearly the same time. */
const usableTime = 5 * 60 * 1000;

export type GivenIdentities = Readonly<Partial<Record<FurtherIdentityName, SigningIdentity>>>;

/** An authority cannot issue under another name than its own, so `oddIssuer` is not among them. */
type MintableName = Exclude<FurtherIdentityName, 'oddIssuer'> | 'cardIssuerOnly';

/** Those handed over come first; the test CA mints the missing ones when they are first asked for. */
export function identitiesOf(
  main: SigningIdentity,
  given: GivenIdentities = {},
  testCa?: CertificateAuthority,
): TargetIdentities {
  const handedOver = Object.fromEntries(
    Object.entries(given).map(([name, identity]) => [name, async () => identity]),
  );
  return {
    main,
    untrustedTwin: onceDone(() => mintUntrustedTwin(main)),
    unknownTpp: onceDone(() => mintUnknownTpp(main)),
    issuedByTpp: onceDone(() => mintByTpp(main)),
    selfSigned: onceDone(() => signItself(main, 'self-signed')),
    ...(testCa === undefined ? {} : minted(main, testCa)),
    // Who hands over a second one may have made it known to the bank, which knows of no others.
    ...(testCa === undefined || given.second !== undefined
      ? {}
      : { further: furtherTpps.map((tpp) => onceDone(() => mintFurther(tpp, main, testCa))) }),
    ...handedOver,
  };
}

// All but `second` repeat the main identity in subject, key and extensions: one thing alone may be odd about each. Otherwise a
// bank that looks for what is missing, certificate policies perhaps, would refuse them for that.
function minted(
  main: SigningIdentity,
  testCa: CertificateAuthority,
): Readonly<Record<MintableName, IdentitySource>> {
  const issue = (name: string, oddity: TppCertificateOptions): Promise<SigningIdentity> =>
    testCa.issueAgain(main, { like: main.certificate, roles: main.certificate.roles, name, ...oddity });
  const withRoles = (name: string, roles: TppCertificateOptions['roles'] & object): IdentitySource =>
    onceDone(() => issue(name, { roles }));
  /** Valid between these milliseconds from the time at the bank. */
  const valid = (name: string, from: number, until: number): IdentitySource => {
    let made: { readonly at: number; readonly identity: Promise<SigningIdentity> } | undefined;
    return (timeAtBank = testCa.currentTime()) => {
      const at = timeAtBank.getTime();
      if (made === undefined || Math.abs(at - made.at) > usableTime) {
        const validity = { notBefore: new Date(at + from), notAfter: new Date(at + until) };
        made = { at, identity: issue(name, validity) };
      }
      return made.identity;
    };
  };
  return {
    aispOnly: withRoles('AISP only', ['PSP_AI']),
    pispOnly: withRoles('PISP only', ['PSP_PI']),
    roleless: withRoles('without a role', []),
    cardIssuerOnly: withRoles('card issuer only', ['PSP_IC']),
    expired: valid('expired', -60 * dayMs, -shortTime),
    notYetValid: valid('not yet valid', shortTime, 60 * dayMs),
    second: onceDone(() =>
      testCa.issueTpp({
        name: 'second TPP',
        commonName: 'Second Test TPP',
        organisation: 'Second Test TPP AS',
        authorisationNumber: 'PSDNO-FSA-654321',
        like: main.certificate,
        modulusLength: keyLengthOf(main),
      }),
    ),
  };
}

const furtherTpps = [
  { name: 'third TPP', commonName: 'Third Test TPP', authorisationNumber: 'PSDNO-FSA-543210' },
  { name: 'fourth TPP', commonName: 'Fourth Test TPP', authorisationNumber: 'PSDNO-FSA-432109' },
] as const;

const mintFurther = (
  tpp: (typeof furtherTpps)[number],
  main: SigningIdentity,
  testCa: CertificateAuthority,
): Promise<SigningIdentity> =>
  testCa.issueTpp({
    ...tpp,
    organisation: `${tpp.commonName} AS`,
    like: main.certificate,
    modulusLength: keyLengthOf(main),
  });

/** New keys are as long as that of the main identity, up to what takes half a second to make. */
const keyLengthOf = ({ certificate }: SigningIdentity): number =>
  Math.min(certificate.publicKey.asymmetricKeyDetails?.modulusLength ?? longestKey, longestKey);

const longestKey = 2048;

/**
 * As the identity in everything that a header shows (subject, roles, serial number, name of the issuer), and
 * issued by an authority that nobody trusts: a bank that compares names takes it, one that verifies does not.
 */
async function mintUntrustedTwin(main: SigningIdentity): Promise<SigningIdentity> {
  const authority = await createTwinOfIssuer(main.certificate, { modulusLength: keyLengthOf(main) });
  return authority.issueAgain(main, {
    like: main.certificate,
    name: 'untrusted twin',
    roles: main.certificate.roles,
    serialNumber: main.certificate.serialNumber,
  });
}

/** As the identity in what a TPP is known by, and issued by an authority that nobody has heard of. */
async function mintUnknownTpp(main: SigningIdentity): Promise<SigningIdentity> {
  const authority = await createCertificateAuthority({
    subject: { CN: 'Unknown CA', O: 'Unknown Authority', C: 'NO' },
    modulusLength: keyLengthOf(main),
  });
  return authority.issueAgain(main, {
    like: main.certificate,
    name: 'TPP of an unknown authority',
    roles: main.certificate.roles,
  });
}

/** As the identity in what a TPP is known by, and issued with its own key: a chain that ends in it leads to a trusted authority. */
function mintByTpp(main: SigningIdentity): Promise<SigningIdentity> {
  return authorityOfLeaf(main).issueAgain(main, {
    like: main.certificate,
    name: 'issued by a TPP',
    roles: main.certificate.roles,
  });
}
