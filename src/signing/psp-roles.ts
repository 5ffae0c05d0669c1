import {
  childrenOf,
  DerError,
  type DerNode,
  derTag,
  isConstructed,
  readDer,
  readObjectIdentifier,
  readText,
} from './der.ts';

export type PspRole = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC';

export const qcStatementsOid = '1.3.6.1.5.5.7.1.3';

/** The PSD2 statement of ETSI TS 119 495, and the roles that it may name. */
export const psd2StatementOid = '0.4.0.19495.2';
export const roleOids: Readonly<Record<PspRole, string>> = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
};

const allRoles: readonly PspRole[] = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'];

/**
 * The roles that a qcStatements extension names, in the order of ETSI TS 119 495. Other statements are
 * passed over. A role counts by its OID, and by its name where an issuer left the OIDs out. An extension
 * that cannot be read names no role: the certificate may still be fit to verify a signature with.
 */
export function readRoles(qcStatements: Uint8Array): readonly PspRole[] {
  try {
    const statement = childrenOf(readDer(qcStatements)).find(isPsd2Statement);
    if (statement === undefined) return [];
    const leaves = leavesOf(statement);
    const oids = new Set(
      leaves.filter((leaf) => leaf.tag === derTag.objectIdentifier).map(readObjectIdentifier),
    );
    const named = allRoles.filter((role) => oids.has(roleOids[role]));
    if (named.length > 0) return named;
    const texts = new Set(leaves.filter((leaf) => leaf.tag === derTag.utf8String).map(readText));
    return allRoles.filter((role) => texts.has(role));
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

function isPsd2Statement(statement: DerNode): boolean {
  const [id] = childrenOf(statement);
  return id !== undefined && readObjectIdentifier(id) === psd2StatementOid;
}

function leavesOf(node: DerNode): readonly DerNode[] {
  return isConstructed(node) ? childrenOf(node).flatMap(leavesOf) : [node];
}
