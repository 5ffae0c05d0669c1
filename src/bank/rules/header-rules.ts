import { facets } from '../../spec/facets.ts';
import {
  type HeaderRow,
  headerId,
  headerRows,
  type SpecifiedProfile,
  sentHeader,
} from '../../spec/headers.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankRequest, type Rule, rule } from '../design/route.ts';

/** Endpoints, Common request headers: a rule for each demand of a row. */
export function headerRules(profile: SpecifiedProfile, design: BankDesign): readonly Rule[] {
  return design.headerRows
    .filter(({ name }) => name !== 'Signature' && name !== 'TPP-Signature-Certificate')
    .flatMap((row) => [...requiredRules(row, profile, design), ...typeRules(row, profile)]);
}

/** The two headers without which nothing else can be judged. */
export function presenceRules(profile: SpecifiedProfile | undefined, design: BankDesign): readonly Rule[] {
  const demands = (name: string): string | undefined => {
    const row = design.headerRows.find((candidate) => candidate.name === name);
    return profile !== undefined && row?.required.includes(profile)
      ? headerId(profile, row.number)
      : undefined;
  };
  const signatureRow = demands('Signature');
  return [
    rule(
      'SIG-01',
      'Signature is present',
      'signatureMissing',
      (request) => missing(request, 'Signature'),
      signatureRow === undefined ? {} : { also: [signatureRow] },
    ),
    rule(
      demands('TPP-Signature-Certificate') ?? 'CRT-06',
      'TPP-Signature-Certificate is present',
      'headerMissing',
      (request) => missing(request, 'TPP-Signature-Certificate'),
    ),
  ];
}

/** What is wrong with a request that lacks a header, with the value to send. */
export function missing(request: BankRequest, name: string) {
  if (request.header(name.toLowerCase())) return undefined;
  const row = headerRows.find((each) => each.name === name);
  const send = row && sentHeader(row);
  return { text: `${name} is missing${send === undefined ? '' : `; send ${send}`}.`, path: name };
}

function requiredRules(row: HeaderRow, profile: SpecifiedProfile, design: BankDesign): readonly Rule[] {
  if (!row.required.includes(profile)) return [];
  const alternative = row.name === 'PSU-ID' ? alternativeToPsuId(profile, design) : undefined;
  return [
    rule(
      headerId(profile, row.number),
      alternative === undefined ? `${row.name} is present` : `${row.name} or ${alternative} is present`,
      'headerMissing',
      (request) =>
        alternative !== undefined && request.header(alternative.toLowerCase())
          ? undefined
          : missing(request, row.name),
    ),
  ];
}

/** X-PSU-IDENTITY is an alternative to PSU-ID where the table lists it. */
function alternativeToPsuId(profile: SpecifiedProfile, design: BankDesign): string | undefined {
  return design.headerRows.find(
    ({ name, optional }) => name === 'X-PSU-IDENTITY' && optional.includes(profile),
  )?.name;
}

function typeRules(row: HeaderRow, profile: SpecifiedProfile): readonly Rule[] {
  const { type, name } = row;
  if (type === undefined || ![...row.required, ...row.optional].includes(profile)) return [];
  const accepts = facets[type.facet].accepts(type.field);
  const demand = facets[type.facet].demand(type.field);
  return [
    rule(headerId(profile, type.number), `${name} ${demand}`, 'headerForm', (request) => {
      const value = request.header(name.toLowerCase());
      return value === undefined || value === '' || accepts(value)
        ? undefined
        : { text: `${name} ${facets[type.facet].broken(type.field)}.`, path: name };
    }),
  ];
}

/** Headers that are lists: repeating them is the same as a comma (RFC 7230 section 3.2.2). */
const lists = new Set([
  'x-accept-fix',
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'connection',
  'cookie',
  'cache-control',
  'forwarded',
  'via',
  'x-forwarded-for',
  'te',
  'psu-accept',
  'psu-accept-charset',
  'psu-accept-encoding',
  'psu-accept-language',
]);

/** A header that is no list and comes twice has no certain value: neither of the two can be trusted. */
export function repetitionRules(): readonly Rule[] {
  return [
    rule(
      'ERR-06',
      'no header is repeated',
      'headerRepeated',
      (request) => {
        for (const [name, values] of request.headers) {
          if (values.length > 1 && !lists.has(name))
            return { text: `The header ${name} is given twice.`, path: name };
        }
        return undefined;
      },
      { ownChoice: true },
    ),
  ];
}
