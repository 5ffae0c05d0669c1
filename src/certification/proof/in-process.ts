import type { Bank } from '../../bank/bank.ts';
import type { Clock } from '../../bank/state/clock.ts';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../../signing/certificate-authority.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import type { Transport } from '../../tpp/transport.ts';
import { createCertificationBank } from '../certification-bank.ts';
import { type BehaviourChange, correctBehaviour } from '../reference-tpp/behaviour.ts';
import { ReferenceTpp } from '../reference-tpp/reference-tpp.ts';
import { Session } from '../session.ts';
import { connectTpp } from '../tpp-connection.ts';

/** Keys and certificates that all TPPs of a proof share: making them costs more than a certification. */
export interface CertificationGround {
  readonly ca: CertificateAuthority;
  readonly tpp: SigningIdentity;
  readonly bankSigner: SigningIdentity;
  /** Identities for TPPs that differ in who they are. */
  readonly others: OtherIdentities;
  readonly authorities: readonly string[];
}

export interface OtherIdentities {
  /** Its issuer's name holds a comma and letters outside ASCII. */
  readonly oddIssuer: SigningIdentity;
  readonly informerOnly: SigningIdentity;
  readonly initiatorOnly: SigningIdentity;
  readonly expired: SigningIdentity;
  readonly untrusted: SigningIdentity;
}

/** Signing has to be right here, not safe. SHA-512 fits into no shorter key. */
const modulusLength = 768;

export async function createCertificationGround(): Promise<CertificationGround> {
  const [ca, odd, otherAuthority] = await Promise.all([
    createCertificateAuthority({ modulusLength }),
    createCertificateAuthority({ modulusLength, subject: subjectWithCommaAndNorwegianLetters }),
    createCertificateAuthority({ modulusLength }),
  ]);
  const tpp = await ca.issueTpp();
  const key = tpp.privateKey;
  const day = 24 * 60 * 60 * 1000;
  return {
    ca,
    tpp,
    bankSigner: await ca.issueTpp({
      commonName: 'Reference Bank',
      organisation: 'Reference Bank',
      roles: [],
    }),
    others: {
      oddIssuer: await odd.issueTpp({ key }),
      informerOnly: await ca.issueTpp({ key, roles: ['PSP_AI'] }),
      initiatorOnly: await ca.issueTpp({ key, roles: ['PSP_PI'] }),
      expired: await ca.issueTpp({
        key,
        notBefore: new Date(Date.now() - 20 * day),
        notAfter: new Date(Date.now() - 2 * day),
      }),
      untrusted: await otherAuthority.issueTpp({ key }),
    },
    authorities: [ca.certificatePem, odd.certificatePem],
  };
}

const baseUrl = 'https://bank.example';
export const customers = { private: '01819010001', corporate: '05829210160' } as const;
export const orderFacts = {
  debtor: { bban: '95360573002', currency: 'NOK' },
  corporateDebtor: { bban: '95360576346', currency: 'NOK' },
  card: { identification: '95379010017', currency: 'NOK' },
} as const;

/** A clock that runs, and that a TPP's pauses move on instead of being waited for. */
function skippingClock(): Clock & { skip(milliseconds: number): void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    skip: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

/** Straight into a bank of this process. */
const inject = (bank: Bank): Transport => ({
  send: ({ method, target, headers, body }) =>
    bank.inject({
      method,
      url: target,
      headers,
      tlsVersion: 'TLSv1.3',
      ...(body === undefined ? {} : { body }),
    }),
  close: async () => {},
});

export interface CertifiedTpp {
  readonly session: Session;
  /** What the TPP itself could not bring about. */
  readonly problems: readonly string[];
}

/** Sends a TPP of that behaviour through all journeys at a bank in this process. */
export async function certifyInProcess(
  ground: CertificationGround,
  change: BehaviourChange = (behaviour) => behaviour,
  drive?: (tpp: ReferenceTpp) => Promise<readonly string[]>,
): Promise<CertifiedTpp> {
  const clock = skippingClock();
  const session = new Session({
    tool: { name: 'proof', version: '0' },
    startedAt: clock.now().toISOString(),
    baseUrl,
    trustedAuthorities: ground.authorities,
  });
  const bank = await createCertificationBank({
    trustedAuthorities: ground.authorities,
    signer: ground.bankSigner,
    clock,
    publicUrl: baseUrl,
    record: (exchange) => session.add(exchange),
  });
  const tpp = new ReferenceTpp({
    ...connectTpp({ baseUrl, identity: ground.tpp, transport: inject(bank) }),
    customers,
    facts: orderFacts,
    behaviour: change(correctBehaviour),
    sleep: async (milliseconds) => clock.skip(milliseconds),
  });
  const problems = await (drive ?? ((driven: ReferenceTpp) => driven.completeJourneys()))(tpp);
  return { session, problems };
}
