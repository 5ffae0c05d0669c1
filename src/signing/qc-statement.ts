import { type Asn1Value, objectIdentifier, sequence, utf8String } from './asn1-values.ts';
import { type PspRole, psd2StatementOid, roleOids } from './psp-roles.ts';

/** The supervisor that test certificates name. */
const competentAuthority = { name: 'Finanstilsynet', id: 'NO-FSA' };

/** The content of a qcStatements extension with the PSD2 statement of ETSI TS 119 495. */
export function qcStatementsWith(roles: readonly PspRole[]): Asn1Value {
  return sequence(
    sequence(
      objectIdentifier(psd2StatementOid),
      sequence(
        sequence(...roles.map((role) => sequence(objectIdentifier(roleOids[role]), utf8String(role)))),
        utf8String(competentAuthority.name),
        utf8String(competentAuthority.id),
      ),
    ),
  );
}
