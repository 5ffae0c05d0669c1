import { section, suite } from '../../src/checks/check.ts';
import { dimensions } from '../../src/checks/contexts.ts';
import { acceptedWithKid, rejectedWith } from '../../src/checks/expectation.ts';
import { aDomesticPayment } from '../../src/checks/subject.ts';
import { accepts, refuses } from '../../src/checks/trial.ts';
import type { JsonObject } from '../../src/payloads/json.ts';

function withoutReferences(body: JsonObject): JsonObject {
  const { remittanceInformationStructuredArray: _, ...rest } = body;
  return rest;
}

const inTheSingleForm = (body: JsonObject): JsonObject => ({
  ...withoutReferences(body),
  remittanceInformationStructured: [body['remittanceInformationStructuredArray']].flat()[0] ?? null,
});

export default suite('KIDs that are demanded', section('Errors'), () => [
  accepts({
    id: 'REM-11-demanded',
    requirement: 'REM-11',
    others: ['NDC-65', 'NDC-66'],
    title: 'a KID to an account that demands one is seen in either structured form',
    needs: ['kid-creditor'],
    of: aDomesticPayment({ remittance: 'array', creditor: 'kid' }),
    // Creditors agree on the length of their KIDs with their bank: where neither goes through, it may be that.
    control: 'one-of-the-twists',
    // One of them goes through with the same KID: what is refused otherwise is the form.
    expected: acceptedWithKid,
    twists: [
      { label: 'the KID stands in remittanceInformationStructuredArray', requirement: 'NDC-65' },
      {
        label: 'the KID stands in remittanceInformationStructured',
        requirement: 'NDC-66',
        body: inTheSingleForm,
      },
    ],
    fixed: dimensions,
    cases: 2,
  }),
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
