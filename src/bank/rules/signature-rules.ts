import type { BankDesign } from '../design/design.ts';
import type { BankRequest, Rule } from '../design/route.ts';
import { oncePerRequest, rule } from '../design/rule.ts';
import type { SignatureVerdict } from '../design/signing-design.ts';
import {
  atSignature,
  formRules,
  keyIdRules,
  type PartsOf,
  signaturePartsOf,
} from './signature-form-rules.ts';

/** Authentication, Signature header and signing string: the form first, then what was signed. */
export function signatureRules(design: BankDesign): readonly Rule[] {
  const partsOf = oncePerRequest(signaturePartsOf);
  return [
    ...formRules(partsOf),
    ...keyIdRules(design, partsOf),
    ...coverageRules(design, partsOf),
    ...verificationRules(design, partsOf),
  ];
}

/** What is signed is there, and what is there is signed (Signing string rules). */
function coverageRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
  const unsigned = (request: BankRequest, names: readonly string[]): string | undefined => {
    const signed = partsOf(request)?.headers?.map((name) => name.toLowerCase());
    if (signed === undefined) return undefined;
    return names.find((name) => request.header(name) !== undefined && !signed.includes(name));
  };
  const coverage = (requirement: string, name: string, headers: readonly string[]): Rule =>
    rule(requirement, name, 'signature', (request) => {
      const missing = unsigned(request, headers);
      return missing === undefined
        ? undefined
        : atSignature(`The header "${missing}" is present and not signed.`);
    });
  return [
    coverage(
      'SGS-07',
      'a Digest is signed',
      design.signing.candidates.filter((name) => name === 'digest'),
    ),
    coverage(
      'SGS-08',
      'every candidate header is signed',
      design.signing.candidates.filter((name) => name !== 'digest'),
    ),
    rule('SGS-09', 'every signed header is present', 'signature', (request) => {
      const missing = partsOf(request)?.headers?.find(
        (name) => design.signing.valueIn(request, name.toLowerCase()) === undefined,
      );
      return missing === undefined
        ? undefined
        : atSignature(`The signature covers the header "${missing}", which the request lacks.`);
    }),
  ];
}

/** The signature verifies; each way to fail has a rule. */
function verificationRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
  const verdictOn = oncePerRequest((request): SignatureVerdict | 'other-target' => {
    const parts = partsOf(request);
    const { certificate } = request;
    // What cannot be verified at all has been judged by the rules above.
    if (parts?.signature === undefined || certificate === undefined) return 'verified';
    const names = (parts.headers ?? presentCandidates(design, request)).map((name) => name.toLowerCase());
    const verdict = design.signing.judge(request, names, parts.signature, certificate);
    return verdict === 'other-text' && names.includes('(request-target)') ? 'other-target' : verdict;
  });
  const step = (
    requirement: string,
    name: string,
    verdict: SignatureVerdict | 'other-target',
    text: string,
    also: readonly string[],
  ): Rule =>
    rule(
      requirement,
      name,
      'signature',
      (request) =>
        verdictOn(request) === verdict ? atSignature(`The signature does not verify: ${text}`) : undefined,
      { also },
    );
  return [
    step('SIG-02', 'signature is Base64', 'not-base64', 'it is not Base64.', []),
    step(
      'CRT-07',
      'signature is made with the key of the certificate',
      'other-key',
      'it was not made with the key of the certificate.',
      ['SIG-02'],
    ),
    step('SGH-14', 'signature is RSA-SHA256', 'other-hash', 'it was made with another hash than SHA-256.', [
      'SIG-02',
    ]),
    step(
      'SGS-11',
      'lines are signed in the order of the headers part',
      'other-order',
      'the lines were signed in another order than the part "headers" gives.',
      ['SIG-02'],
    ),
    step(
      'SGS-14',
      'lines are joined by a newline alone',
      'other-joint',
      'the lines of the signing string are joined by a single newline, with none at the end.',
      ['SIG-02'],
    ),
    step(
      'SGS-15',
      'a line is name, colon, space and value',
      'other-line-form',
      'a line of the signing string is the lower-case name, a colon, a space and the value.',
      ['SIG-02'],
    ),
    step(
      'SGS-13',
      '(request-target) is that of the request',
      'other-target',
      'the text that was signed is not that of this request; (request-target) is the method in lower case, a space, the path and query.',
      ['SIG-02'],
    ),
    step(
      'SIG-02',
      'signature is over the signing string of this request',
      'other-text',
      'the text that was signed is not that of this request.',
      ['SGS-01', 'SGS-02', 'SGS-03', 'SGS-04', 'SGS-05', 'SGS-06'],
    ),
  ];
}

/** Without a headers part a bank can only guess that the candidates were signed. */
const presentCandidates = (design: BankDesign, request: BankRequest): readonly string[] =>
  design.signing.candidates.filter((name) => request.header(name) !== undefined);
