import type { Json, JsonObject } from '../../src/payloads/json.ts';

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
export function asPain001(body: JsonObject): string {
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
