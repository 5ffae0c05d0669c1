import { section, suite } from '../../src/checks/check.ts';
import { rejectedWith } from '../../src/checks/expectation.ts';
import { aDomesticPayment } from '../../src/checks/subject.ts';
import { refuses } from '../../src/checks/trial.ts';
import type { JsonObject } from '../../src/payloads/json.ts';

function withoutReferences(body: JsonObject): JsonObject {
  const { remittanceInformationStructuredArray: _, ...rest } = body;
  return rest;
}

export default suite('KIDs that are missing', section('Errors'), [
  refuses({
    id: 'ERR-02-missing',
    requirement: 'ERR-02',
    title: 'a payment without a KID to an account that demands one is answered 400',
    needs: ['kid-creditor'],
    of: aDomesticPayment({ remittance: 'array', creditor: 'kid' }),
    twists: [
      { label: 'there is no KID', points: 'remittanceInformationStructuredArray', body: withoutReferences },
      {
        label: 'a message stands in place of the KID',
        points: 'remittanceInformationStructuredArray',
        body: (body) => ({
          ...withoutReferences(body),
          remittanceInformationUnstructured: 'Invoice without a KID',
        }),
      },
    ],
    expected: rejectedWith(400),
    cases: 1,
  }),
]);
