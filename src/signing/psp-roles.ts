import {
  Asn1Error,
  type Asn1Value,
  childrenOf,
  isObjectIdentifier,
  isUtf8String,
  objectIdentifier,
  readDer,
  readObjectIdentifier,
  readText,
  sequence,
  utf8String,
} from './asn1.ts';

export type PspRole = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC';

export const qcStatementsOid = '1.3.6.1.5.5.7.1.3';

/** The PSD2 statement of ETSI TS 119 495, and the roles that it may name. */
export const psd2StatementOid = '0.4.0.19495.2';
const roleOids: Readonly<Record<PspRole, string>> = {
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
    const oids = new Set(leaves.filter(isObjectIdentifier).map(readObjectIdentifier));
    const named = allRoles.filter((role) => oids.has(roleOids[role]));
    if (named.length > 0) return named;
    const texts = new Set(leaves.filter(isUtf8String).map(readText));
    return allRoles.filter((role) => texts.has(role));
  } catch (error) {
    if (error instanceof Asn1Error) return [];
    throw error;
  }
}

function isPsd2Statement(statement: Asn1Value): boolean {
  const [id] = childrenOf(statement);
  return id !== undefined && readObjectIdentifier(id) === psd2StatementOid;
}

function leavesOf(node: Asn1Value): readonly Asn1Value[] {
  return node.constructed ? childrenOf(node).flatMap(leavesOf) : [node];
}

/** The supervisor that test certificates name. */
const competentAuthority = { name: 'Finanstilsynet', id: 'NO-FSA' };

/** What a qcStatements extension says beside roles: its other statements, and who supervises the TPP. */
function besideRoles(qcStatements: Uint8Array): {
  readonly others: readonly Asn1Value[];
  readonly supervisor: readonly Asn1Value[];
} {
  try {
    const statements = childrenOf(readDer(qcStatements));
    const [, said] = childrenOf(statements.find(isPsd2Statement) ?? sequence());
    const [, ...supervisor] = said === undefined ? [] : childrenOf(said);
    return { others: statements.filter((statement) => !isPsd2Statement(statement)), supervisor };
  } catch (error) {
    if (error instanceof Asn1Error) return { others: [], supervisor: [] };
    throw error;
  }
}

/**
 * The content of a qcStatements extension with the PSD2 statement of ETSI TS 119 495; beside the roles it says what another
 * one does, where one is given.
 */
export function qcStatementsWith(roles: readonly PspRole[], like: Uint8Array = new Uint8Array()): Asn1Value {
  const { others, supervisor } = besideRoles(like);
  const named = [utf8String(competentAuthority.name), utf8String(competentAuthority.id)];
  return sequence(
    ...others,
    sequence(
      objectIdentifier(psd2StatementOid),
      sequence(
        sequence(...roles.map((role) => sequence(objectIdentifier(roleOids[role]), utf8String(role)))),
        ...(supervisor.length === 0 ? named : supervisor),
      ),
    ),
  );
}
