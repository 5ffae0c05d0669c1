import { section, suite } from '../../src/checks/check.ts';
import { acceptedWithKid } from '../../src/checks/expectation.ts';
import { aDomesticPayment } from '../../src/checks/subject.ts';
import { accepts, acceptsEvery, refuses } from '../../src/checks/trial.ts';
import { type JsonObject, removeAt, setAt } from '../../src/payloads/json.ts';
import { kidOfLength, longestKid, referencesOf } from '../../src/payloads/kid.ts';
import { suffixes } from '../id-suffixes.ts';

/** Of the payment alone: by a number that is always the same a bank would know the suite. */
const numberOf = (body: JsonObject): string => referencesOf(body['instructedAmount'], 1)[0]?.reference ?? '';
const saying = (body: JsonObject, text: string): JsonObject =>
  setAt(body, ['remittanceInformationUnstructured'], text);
const unstructured = (body: JsonObject): JsonObject => saying(body, `Invoice ${numberOf(body)}`);
const array = (body: JsonObject): JsonObject => referring(body, 1);
/** Of a type, and such as is no KID. */
const invoice = (body: JsonObject): JsonObject =>
  setAt(
    body,
    ['remittanceInformationStructuredArray'],
    [{ reference: `INV-${numberOf(body)}`, referenceType: 'Invoice' }],
  );
const several = (body: JsonObject): JsonObject => referring(body, 2);

const referring = (body: JsonObject, count: number): JsonObject =>
  setAt(body, ['remittanceInformationStructuredArray'], referencesOf(body['instructedAmount'], count));

/** Members of one element say nothing about those of another, nor does one optional member demand another. */
const withOneTypeOrIssuer = (body: JsonObject): JsonObject => {
  const [plain = {}, typed, issued] = referencesOf(body['instructedAmount'], 3);
  const references = [plain, { ...typed, referenceType: 'KID' }, { ...issued, referenceIssuer: issuer }];
  return setAt(body, ['remittanceInformationStructuredArray'], references);
};

const issuer = 'Nordic Trading';

const singleWithIssuer = (body: JsonObject): JsonObject =>
  setAt(body, ['remittanceInformationStructured', 'referenceIssuer'], issuer);

/** Whoever keeps a KID as a number loses its zeros, and the last digits of a long one. */
const longestWithZero = (body: JsonObject): JsonObject =>
  setAt(
    body,
    ['remittanceInformationStructuredArray'],
    [{ reference: `0${kidOfLength(longestKid - 1, body['instructedAmount'])}` }],
  );

const withoutReference: JsonObject = { referenceType: 'Invoice', referenceIssuer: 'Accounts' };

export default suite(
  'Remittance information',
  section('Resources and their fields', 'Remittance reference (structured)'),
  () => [
    refuses({
      id: 'NDC-63',
      requirement: 'NDC-63',
      title: 'unstructured and structured array remittance information together are refused',
      of: aDomesticPayment({ remittance: 'none' }),
      twists: [
        {
          label: 'remittanceInformationUnstructured and remittanceInformationStructuredArray are both set',
          points: 'remittanceInformation',
          body: (body) => unstructured(array(body)),
        },
        {
          label: 'remittanceInformationUnstructured is set next to several references',
          points: 'remittanceInformation',
          body: (body) => unstructured(several(body)),
        },
        {
          label: 'remittanceInformationStructured is set next to both',
          points: 'remittanceInformation',
          body: (body) =>
            setAt(unstructured(array(body)), ['remittanceInformationStructured'], {
              reference: numberOf(body),
            }),
        },
        {
          label: 'remittanceInformationUnstructured says the same as the reference next to it',
          points: 'remittanceInformation',
          body: (body) => saying(array(body), numberOf(body)),
          isOneOfMany: true,
        },
        {
          label: 'remittanceInformationUnstructured is a single letter next to a reference',
          points: 'remittanceInformation',
          body: (body) => saying(array(body), 'x'),
          isOneOfMany: true,
        },
        {
          label: 'remittanceInformationUnstructured is long, next to a reference with a type',
          points: 'remittanceInformation',
          body: (body) => saying(invoice(body), `Invoice ${numberOf(body)} `.repeat(7).trim()),
          isOneOfMany: true,
        },
      ],
    }),
    refuses({
      id: 'NDC-63-any-pair',
      requirement: 'NDC-63',
      title: 'the single structured reference next to another form of remittance information is refused',
      levelUnder: ({ remittancePairs }) => (remittancePairs === 'any-pair' ? 'must' : undefined),
      of: aDomesticPayment({ remittance: 'single' }),
      twists: [
        {
          label: 'remittanceInformationStructured and remittanceInformationUnstructured are both set',
          body: unstructured,
        },
        {
          label: 'remittanceInformationStructured and remittanceInformationStructuredArray are both set',
          body: array,
        },
      ],
    }),
    refuses({
      id: `REM-01${suffixes.beside}`,
      requirement: 'REM-01',
      title: 'a structured reference that has a type and an issuer, and no reference, is refused',
      of: aDomesticPayment({ remittance: 'array' }),
      twists: [
        {
          label: 'the only element of remittanceInformationStructuredArray has everything but reference',
          points: 'remittanceInformation',
          body: (body) => setAt(body, ['remittanceInformationStructuredArray'], [withoutReference]),
        },
        {
          label: 'the only element of remittanceInformationStructuredArray is null',
          points: 'remittanceInformation',
          body: (body) => setAt(body, ['remittanceInformationStructuredArray'], [null]),
          isOneOfMany: true,
        },
        {
          label: 'remittanceInformationStructured has everything but reference',
          points: 'remittanceInformation',
          body: (body) =>
            setAt(
              removeAt(body, ['remittanceInformationStructuredArray']),
              ['remittanceInformationStructured'],
              withoutReference,
            ),
          isOneOfMany: true,
        },
      ],
      cases: 2,
    }),
    acceptsEvery({
      id: 'NDC-64',
      requirement: 'NDC-64',
      title: 'remittanceInformationUnstructured alone is accepted',
      of: aDomesticPayment({ remittance: 'unstructured' }),
      cases: 4,
    }),
    accepts({
      id: 'NDC-65',
      requirement: 'NDC-65',
      others: ['REM-11'],
      expected: acceptedWithKid,
      title: 'remittanceInformationStructuredArray alone is accepted, with one KID or several',
      of: aDomesticPayment({ remittance: 'array' }),
      control: 'none',
      twists: [
        { label: 'there is one reference', body: (body) => referring(body, 1) },
        { label: 'there are three references', body: (body) => referring(body, 3) },
        {
          label: 'one of three references has a type, and another one an issuer',
          body: withOneTypeOrIssuer,
          isOneOfMany: true,
        },
        {
          label: `the reference is a KID of ${longestKid} digits that begins with a zero`,
          requirement: 'REM-11',
          body: longestWithZero,
          isOneOfMany: true,
        },
      ],
      cases: 4,
    }),
    accepts({
      id: 'NDC-66',
      requirement: 'NDC-66',
      others: ['REM-11'],
      expected: acceptedWithKid,
      title: 'remittanceInformationStructured alone is accepted',
      of: aDomesticPayment({ remittance: 'single' }),
      control: 'none',
      twists: [
        { label: 'everything is valid' },
        {
          label: 'the reference has an issuer, and no type',
          body: singleWithIssuer,
          isOneOfMany: true,
        },
      ],
      cases: 4,
    }),
    acceptsEvery({
      id: 'NDC-67',
      requirement: 'NDC-67',
      title: 'a payment without remittance information is accepted',
      of: aDomesticPayment({ remittance: 'none' }),
      cases: 4,
    }),
  ],
);
