import { createHash } from 'node:crypto';
import { memberAt } from '../json.ts';
import type { BankRequest } from '../route.ts';
import { tppIdOf } from '../sca/tpp.ts';

/**
 * Equal for logical duplicates: the same TPP pays the same amount from the same account to the same account, on the
 * same day and with the same message.
 */
export function likenessOf(request: BankRequest): string {
  const { body } = request;
  const facts = JSON.stringify([
    tppIdOf(request),
    request.operation,
    memberAt(body, 'debtorAccount'),
    memberAt(body, 'creditorAccount'),
    memberAt(body, 'instructedAmount'),
    memberAt(body, 'payments'),
    memberAt(body, 'requestedExecutionDate') ?? memberAt(body, 'startDate'),
    memberAt(body, 'remittanceInformationUnstructured'),
    memberAt(body, 'remittanceInformationStructured'),
    memberAt(body, 'remittanceInformationStructuredArray'),
  ]);
  // Kept for every payment, so it is kept short.
  return createHash('sha256').update(facts).digest('base64url');
}
