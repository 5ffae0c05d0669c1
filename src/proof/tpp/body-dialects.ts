import { withBody } from '../../certification/reference-tpp/behaviour.ts';
import { products } from '../../spec/products.ts';
import { dialect, type TppDialect } from './deviation.ts';

/** Texts that speak of a KID, or hold a number that might be one, and stand for none. */
const harmlessTexts = [
  'KID mangler på faktura 10023',
  'Kid 18 og 26, sommerleir 2026',
  'OCR-lesing av 1234567 bilag',
  'Kidult 2345676 AS',
  'Kundenr 12345674',
  'Barnehage KID, avd. 3',
];

/** TPPs that write their payments in an unusual way. */
export const bodyDialects: readonly TppDialect[] = [
  dialect('pretty-json', 'writes its JSON over several lines', (behaviour) => ({
    ...behaviour,
    bytes: (_, body) => Buffer.from(JSON.stringify(body, undefined, 2)),
  })),
  dialect('escaped-json', 'writes letters outside ASCII as escapes', (behaviour) => ({
    ...behaviour,
    bytes: (_, body) => Buffer.from(escaped(JSON.stringify(body))),
  })),
  dialect('short-bic', 'writes BICs without their branch', (behaviour) => ({
    ...behaviour,
    body: (call, body) => {
      const { creditorAgent, ...rest } = behaviour.body(call, body);
      return typeof creditorAgent === 'string' ? { ...rest, creditorAgent: creditorAgent.slice(0, 8) } : rest;
    },
  })),
  dialect(
    'no-references',
    'sends an empty list of structured references along with its text',
    withBody(products.domestic.creation, (body) =>
      body.remittanceInformationUnstructured === undefined
        ? body
        : { ...body, remittanceInformationStructuredArray: [] },
    ),
  ),
  dialect('speaks-of-kids', 'has customers who write of KIDs and of numbers', (behaviour) => {
    let count = 0;
    return withBody(products.domestic.creation, (body) => {
      if (body.remittanceInformationUnstructured === undefined) return body;
      count += 1;
      return {
        ...body,
        remittanceInformationUnstructured: harmlessTexts[count % harmlessTexts.length] ?? '',
      };
    })(behaviour);
  }),
];

const escaped = (text: string): string =>
  text.replace(
    /[^\p{ASCII}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
