import { withBody } from '../../src/checks/call-body.ts';
import { type Check, section, suite } from '../../src/checks/check.ts';
import {
  acceptedAsLetters,
  acceptedOr400,
  describeAnswer,
  type Expectation,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { aDomesticPayment, drawBody, type Subject } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { type Json, type JsonObject, setAt } from '../../src/payloads/json.ts';
import { referencesOf } from '../../src/payloads/kid.ts';
import { writeInAscii } from '../../src/payloads/serialisations.ts';
import { products } from '../../src/spec/products.ts';
import { type Call, withHeader } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { basket, everyRequest, initiations, payments } from '../subjects.ts';
import { latin1, otherEncodingOf, xml } from './forms-of-answers.ts';

type Members = Readonly<Record<string, Json | undefined>>;

const at = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members)[name] : undefined;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const textOf = (value: Json | undefined, ...path: readonly string[]): string | undefined => {
  const found = path.reduce(at, value);
  return typeof found === 'string' ? escaped(found) : undefined;
};

const element = (name: string, content: string | undefined): string =>
  content === undefined ? '' : `<${name}>${content}</${name}>`;

/** IBAN where there is one, and a number of the bank otherwise. */
const account = (name: string, given: Json | undefined): string => {
  const iban = element('IBAN', textOf(given, 'iban'));
  const number = textOf(given, 'bban') ?? textOf(given, 'other', 'identification') ?? '';
  const other = `<Othr>${element('Id', number)}<SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr>`;
  return element(name, `${element('Id', iban || other)}${element('Ccy', textOf(given, 'currency'))}`);
};

/**
 * The payment as a customer would send it to a bank that takes ISO 20022: a CustomerCreditTransferInitiation,
 * pain.001.001.09, complete and in the order of its schema. A gateway in front that knows this message may well
 * process it, which XML of nobody's making does not show.
 */
function asPain001(body: JsonObject): string {
  const now = new Date().toISOString();
  const [day = ''] = now.split('T');
  const id = now.replace(/\D/g, '');
  const amount = textOf(body, 'instructedAmount', 'amount') ?? '';
  const currency = textOf(body, 'instructedAmount', 'currency') ?? 'NOK';
  const agent = textOf(body, 'creditorAgent');
  const text = textOf(body, 'remittanceInformationUnstructured');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>M${id}</MsgId><CreDtTm>${now}</CreDtTm><NbOfTxs>1</NbOfTxs>`,
    '<InitgPty><Nm>Test TPP AS</Nm></InitgPty></GrpHdr>',
    `<PmtInf><PmtInfId>P${id}</PmtInfId><PmtMtd>TRF</PmtMtd>`,
    element('ReqdExctnDt', element('Dt', textOf(body, 'requestedExecutionDate') ?? day)),
    element('Dbtr', element('Nm', textOf(body, 'ultimateDebtor') ?? 'Kari Nordmann')),
    account('DbtrAcct', at(body, 'debtorAccount')),
    '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>',
    `<CdtTrfTxInf><PmtId><EndToEndId>E${id}</EndToEndId></PmtId>`,
    `<Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>`,
    agent === undefined ? '' : `<CdtrAgt><FinInstnId><BICFI>${agent}</BICFI></FinInstnId></CdtrAgt>`,
    element('Cdtr', element('Nm', textOf(body, 'creditorName'))),
    account('CdtrAcct', at(body, 'creditorAccount')),
    text === undefined ? '' : element('RmtInf', element('Ustrd', text)),
    '</CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>',
  ].join('');
}

/** The same content as elements. */
const asXml = (body: JsonObject): string =>
  `<?xml version="1.0" encoding="UTF-8"?><payment>${elements(body)}</payment>`;

function elements(value: Json): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${elements(item)}</item>`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => `<${name}>${elements(member)}</${name}>`)
      .join('');
  }
  return String(value).replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
}

const sentAs = (label: string, type: string, write: (body: JsonObject) => string): Twist => ({
  label,
  call: (call: Call) => withBody(call, (body) => Buffer.from(write(body), 'utf8')),
  request: withHeader('Content-Type', type),
});

const broken = (label: string, breakIt: (json: string) => string): Twist =>
  sentAs(label, 'application/json', (body) => breakIt(JSON.stringify(body)));

const withText = (label: string, text: string): Twist => ({
  label,
  points: 'remittanceInformationUnstructured',
  body: (body) => setAt(body, ['remittanceInformationUnstructured'], text),
});

/** What has a meaning of its own in many languages that a text may pass through. */
const punctuated = 'the text has quotation marks, an apostrophe, an ampersand and a backslash';
const punctuation = '"4711" for O\'Brien & Co \\ 5 %';

const unstructured = aDomesticPayment({ remittance: 'unstructured' });

/** A reference of each payment: a bank that can process it may take it once. */
const pictured = ({ instructedAmount }: JsonObject): string =>
  `Pizza ${String(at(instructedAmount, 'amount'))} 🍕`;

/** The same without any letter beyond ASCII. */
const inAscii: Subject = {
  ...unstructured,
  // Another kind of request than the one with letters, whose answer would otherwise speak for it.
  title: `${unstructured.title} in ASCII`,
  bodies: (context) =>
    unstructured
      .bodies(context)
      .map((body) => JSON.parse(JSON.stringify(body).replace(/[^\x20-\x7e]/g, 'o')) as JsonObject),
};

/**
 * Where letters beyond ASCII are answered 400, as what cannot be processed may be, the same letters by their numbers tell
 * whether it is UTF-8 that the bank does not read: requests use it.
 */
const readingUtf8 = (letters: Check): Check => ({
  ...letters,
  steps: [
    ...letters.steps,
    'Where letters were refused, send them by their numbers (\\u00e6) as well: what is taken so is taken in UTF-8.',
  ],
  async run(context) {
    await letters.run(context);
    if (context.readings.letters !== 'ascii-only') return;
    const body = setAt(drawBody(context, inAscii), ['remittanceInformationUnstructured'], 'Blåbærsyltetøy');
    const call = await inAscii.call(context, body);
    const inUtf8 = await context.call(call, {}, 'letters in UTF-8');
    if (inUtf8.isSuccess) return;
    const numbered = { ...call, body: Buffer.from(writeInAscii(body), 'utf8') };
    const byNumber = await context.call(numbered, {}, 'the same letters by their numbers');
    if (!byNumber.isSuccess) return;
    context.evidence = [inUtf8.exchange, byNumber.exchange];
    throw new ExpectationFailed(
      'letters to be accepted in UTF-8, as they are by their numbers',
      describeAnswer(inUtf8),
    );
  },
});

/** Whoever takes XML alone may be refused, in whatever form; what goes through is answered in JSON. */
const inJson: Expectation = {
  text: 'an answer in JSON, or a refusal',
  met: ({ isSuccess, bytes, json }) => !isSuccess || bytes.length === 0 || json !== undefined,
  scaIsAnAnswer: true,
};

/** Whoever takes another encoding alone may be refused as well. */
const inUtf8: Expectation = {
  text: 'an answer in UTF-8, or a refusal',
  met: (answer) => !answer.isSuccess || otherEncodingOf(answer) === undefined,
  scaIsAnAnswer: true,
};

export default suite('JSON and UTF-8', section('What the service does'), () => [
  initiations.map(({ suffix, of }) =>
    refuses({
      id: `TRN-01${suffix}`,
      requirement: 'TRN-01',
      title: `${of.title} in XML is refused`,
      of,
      twists: [
        sentAs('the body is XML', 'application/xml', asXml),
        sentAs('the body is XML and called text', 'text/xml', asXml),
      ],
      cases: 2,
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `TRN-01-pain${suffix}`,
      requirement: 'TRN-01',
      title: `${of.title} as a message of ISO 20022 is refused`,
      of,
      twists: [sentAs('the body is a pain.001 of ISO 20022', 'application/xml', asPain001)],
      cases: 1,
    }),
  ),
  initiations.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `TRN-02${suffix}`,
      requirement: 'TRN-02',
      title: `${of.title} that is no well-formed JSON object is refused`,
      of,
      twists: [
        broken('the body ends too early', (json) => json.slice(0, -1)),
        broken('a quotation mark is missing', (json) => json.replace('"', '')),
        broken('more text follows the body', (json) => `${json} and more`),
        broken('the body is empty', () => ''),
        broken('the body is a list of one', (json) => `[${json}]`),
        broken('the body is null', () => 'null'),
        // A body that was written twice is a text, which many libraries read twice as readily.
        { ...broken('the body is a text that holds the payment', JSON.stringify), isOneOfMany: true },
        { ...broken('the body is a number', () => '4711'), isOneOfMany: true },
        broken('a comma has nothing behind it', (json) => json.replace(/}$/, ',}')),
        broken('the body has a comment', (json) => json.replace('{', '{/* paid */')),
        {
          ...broken('a name has single quotes around it', (json) => json.replace(/"(\w+)":/, "'$1':")),
          isOneOfMany: true,
        },
        {
          ...broken('a name has no quotes around it', (json) => json.replace(/"(\w+)":/, '$1:')),
          isOneOfMany: true,
        },
      ],
      sharesList,
      cases: 4,
    }),
  ),
  everyRequest
    .filter(({ suffix }) => suffix !== basket.suffix)
    .map(({ suffix, of }) =>
      refuses({
        id: `TRN-03${suffixes.forXml}${suffix}`,
        requirement: 'TRN-03',
        title: `${of.title} is answered in JSON, or refused, when XML is asked for`,
        of,
        twists: [{ label: `Accept is ${xml}`, request: withHeader('Accept', xml) }],
        expected: inJson,
        cases: 1,
      }),
    ),
  everyRequest
    .filter(({ suffix }) => suffix !== basket.suffix)
    .map(({ suffix, of }) =>
      refuses({
        id: `TRN-05${suffixes.forLatin1}${suffix}`,
        requirement: 'TRN-05',
        title: `${of.title} is answered in UTF-8, or refused, when another encoding is asked for`,
        of,
        twists: [{ label: `Accept-Charset is ${latin1}`, request: withHeader('Accept-Charset', latin1) }],
        expected: inUtf8,
        cases: 1,
      }),
    ),
  readingUtf8(
    accepts({
      id: 'TRN-04',
      requirement: 'TRN-04',
      title: 'a domestic payment with Norwegian letters is accepted',
      of: unstructured,
      control: inAscii,
      expected: acceptedAsLetters(),
      twists: [
        withText('the text has Norwegian letters', 'Blåbærsyltetøy på Ærfuglveien'),
        {
          label: 'names have Norwegian letters',
          body: (body) =>
            setAt(
              setAt(body, ['creditorName'], 'Bjørn Ærlig Ås'),
              ['creditorAddress', 'street'],
              'Østre Ålevei',
            ),
        },
      ],
      cases: 2,
    }),
  ),
  accepts({
    id: 'TRN-06',
    requirement: 'TRN-06',
    title: 'a character that cannot be processed is answered 400, if it is not accepted',
    of: unstructured,
    twists: [
      withText('the text has an emoji', 'Takk for maten 🍕'),
      withText('the text has a mathematical letter beyond the basic plane', 'Konto 𝔸'),
      withText('the text has Chinese letters, and marks that nobody sees', '付款\u200d\u202e'),
      withText(
        'the text has letters of other languages in Europe',
        'Räksmörgås, café à Zürich, žluťoučký kůň',
      ),
      withText(punctuated, `Faktura ${punctuation}`),
      withText('the text has Cyrillic letters', 'Счёт 4711'),
      withText('the text has the sign of the euro, and a dash', 'Faktura på 100 € – ½ ´'),
      {
        label: 'the name has an emoji',
        points: 'creditorName',
        body: (body) => setAt(body, ['creditorName'], 'Pizza 🍕'),
      },
      {
        label: 'the street has an emoji',
        points: 'street',
        body: (body) => setAt(body, ['creditorAddress', 'street'], 'Gata 🍕'),
      },
      withText('the text has a NUL', 'Faktura\u0000 4711'),
      {
        label: 'the ultimate debtor, the city and the number of the house have emoji',
        points: 'ultimateDebtor',
        body: (body) =>
          setAt(
            setAt(setAt(body, ['ultimateDebtor'], 'Ola 🍕'), ['creditorAddress', 'city'], 'Oslo 🍕'),
            ['creditorAddress', 'buildingNumber'],
            '1 🍕',
          ),
      },
    ],
    expected: acceptedOr400(),
  }),
  accepts({
    id: 'TRN-06-references',
    requirement: 'TRN-06',
    title: 'a reference with a character that cannot be processed is answered 400, if it is not accepted',
    of: aDomesticPayment({ remittance: 'none' }),
    twists: [
      {
        label: 'the second reference of the array form has an emoji',
        points: 'remittanceInformation',
        body: (body) =>
          setAt(
            body,
            ['remittanceInformationStructuredArray'],
            [...referencesOf(body['instructedAmount'], 1), { reference: pictured(body) }],
          ),
      },
      {
        label: 'the reference of the single form has an emoji',
        points: 'remittanceInformation',
        body: (body) => setAt(body, ['remittanceInformationStructured'], { reference: pictured(body) }),
      },
      {
        label: 'the type and the issuer of a reference have emoji',
        points: 'remittanceInformation',
        body: (body) =>
          setAt(
            body,
            ['remittanceInformationStructuredArray'],
            referencesOf(body['instructedAmount'], 1).map((reference) => ({
              ...reference,
              referenceType: 'KID 🍕',
              referenceIssuer: 'Pizza 🍕',
            })),
          ),
        isOneOfMany: true,
      },
    ],
    expected: acceptedOr400(),
    cases: 2,
  }),
  payments
    .filter(({ product }) => product !== products.domestic)
    .map(({ suffix, of }) =>
      accepts({
        id: `TRN-06${suffix}`,
        requirement: 'TRN-06',
        title: `${of.title} with a character that cannot be processed is answered 400, if it is not accepted`,
        of,
        twists: [
          withText('the text has an emoji', 'Takk for maten 🍕'),
          withText('the text has Norwegian letters', 'Blåbærsyltetøy på Ærfuglveien'),
          {
            label: 'the name has an emoji',
            points: 'creditorName',
            body: (body) => setAt(body, ['creditorName'], 'Pizza 🍕'),
          },
          withText('the text has a NUL', 'Invoice\u0000 4711'),
          withText('the text has letters of other scripts, and the sign of the euro', '付款 Счёт, 100 €'),
          { ...withText(punctuated, `Invoice ${punctuation}`), isOneOfMany: true },
          {
            label: 'the information for the authorities has an emoji',
            points: 'regulatoryReportingInformation',
            body: (body) => setAt(body, ['regulatoryReportingInformation'], 'Goods 🍕'),
          },
          {
            label: 'the street has an emoji',
            points: 'street',
            body: (body) =>
              setAt(body, ['creditorAddress'], {
                country: 'SE',
                ...Object(body.creditorAddress),
                street: 'Gata 🍕',
              }),
            isOneOfMany: true,
          },
        ],
        expected: acceptedOr400(),
      }),
    ),
]);
