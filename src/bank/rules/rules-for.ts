import { headerPrefixes, type SpecifiedProfile } from '../../spec/headers.ts';
import { parseHttpDate } from '../../spec/http-date.ts';
import { type Operation, operations } from '../../spec/operations.ts';
import { createdBy, defaultProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import {
  type BankOperation,
  type BankRequest,
  type BankState,
  oncePerRequest,
  type Rule,
  rule,
} from '../design/route.ts';
import type { DigestVerdict } from '../design/signing-design.ts';
import { basketRules } from './basket-rules.ts';
import { certificateRules } from './certificate-rules.ts';
import { combinationRules } from './combination-rules.ts';
import { amountRules, fieldRules } from './field-rules.ts';
import { headerRules, presenceRules, repetitionRules } from './header-rules.ts';
import { kidRules } from './kid-rules.ts';
import { payloadRules } from './payload-rules.ts';
import { paymentRules, severalPaymentRules } from './payment-rules.ts';
import { initiationRules } from './psu-rules.ts';
import { signatureRules } from './signature-rules.ts';

const at = (text: string) => ({ text, path: 'Date' });

/** Authentication, Transport and signing: the Date header is at most 60 seconds off. */
function clockRules(design: BankDesign): readonly Rule[] {
  const { clockDeviationBehindSeconds: behind, clockDeviationAheadSeconds: ahead } = design.limits;
  return [
    rule('CLK-05', 'Date is present', 'clock', (request) =>
      request.header('date') === undefined ? at('The Date header is missing.') : undefined,
    ),
    rule('CLK-06', 'Date is a date', 'clock', (request, state) =>
      request.header('date') !== undefined && secondsAhead(request, state) === undefined
        ? at('The Date header is not an HTTP date such as "Tue, 03 Mar 2026 10:00:00 GMT".')
        : undefined,
    ),
    rule('CLK-03', `Date is at most ${behind} seconds behind`, 'clock', (request, state) =>
      -(secondsAhead(request, state) ?? 0) > behind
        ? at(`The Date header is more than ${behind} seconds behind the bank's clock.`)
        : undefined,
    ),
    rule('CLK-04', `Date is at most ${ahead} seconds ahead`, 'clock', (request, state) =>
      (secondsAhead(request, state) ?? 0) > ahead
        ? at(`The Date header is more than ${ahead} seconds ahead of the bank's clock.`)
        : undefined,
    ),
  ];
}

/** In whole seconds, the resolution of an HTTP date: a fraction of the bank's second is not held against the TPP. */
function secondsAhead(request: BankRequest, { clock }: BankState): number | undefined {
  const now = clock.now();
  const date = parseHttpDate(request.header('date') ?? '', now);
  return date === undefined
    ? undefined
    : Math.floor(date.getTime() / 1000) - Math.floor(now.getTime() / 1000);
}

function digestRules(design: BankDesign): readonly Rule[] {
  const verdictOn = oncePerRequest(design.judgeDigest);
  const on = (requirement: string, name: string, verdict: DigestVerdict, text: string): Rule =>
    rule(requirement, name, 'digest', (request) =>
      verdictOn(request) === verdict ? { text, path: 'Digest' } : undefined,
    );
  return [
    on(
      'DIG-06',
      'Digest is SHA-256 or SHA-512',
      'unknown-algorithm',
      'The Digest is neither SHA-256=… nor SHA-512=….',
    ),
    on('DIG-07', 'Digest is Base64', 'malformed', 'The Digest is not <algorithm>=<Base64>.'),
    on(
      'DIG-05',
      'Digest is of the bytes sent',
      'of-reserialised-json',
      'The Digest is that of the JSON written anew; it is taken over the exact bytes sent.',
    ),
    on(
      'DIG-03',
      'a SHA-256 Digest is that of the body',
      'mismatch-sha-256',
      'The Digest is not the hash of the body.',
    ),
    on(
      'DIG-10',
      'a SHA-512 Digest is that of the body',
      'mismatch-sha-512',
      'The Digest is not the hash of the body.',
    ),
  ];
}

/**
 * The rules of an operation in the order in which they are tried: who speaks, whether it was signed, the headers, the
 * body, and only then what it would do. Every refusal of a signed request comes from one of them or from the route.
 */
export function rulesFor(operation: BankOperation, design: BankDesign): readonly Rule[] {
  if (operation === 'page') return [];
  const profile = profileOf(operation);
  return [
    ...repetitionRules(),
    ...[...presenceRules(profile, design), ...certificateRules(operation, design)].map((rule) => ({
      ...rule,
      asksWho: true as const,
    })),
    ...clockRules(design),
    ...signatureRules(design),
    ...digestRules(design),
    ...(profile === undefined ? [] : headerRules(profile, design)),
    ...bodyRulesFor(operation, design),
  ];
}

function bodyRulesFor(operation: BankOperation, design: BankDesign): readonly Rule[] {
  const product = createdBy(operation);
  if (product !== undefined) {
    const body = design.bodies[product.body];
    return [
      ...payloadRules(design),
      ...fieldRules(body, design),
      ...amountRules(body, design),
      ...combinationRules(product, design),
      ...kidRules(design),
      ...initiationRules,
      ...paymentRules(operation, design),
    ];
  }
  switch (operation) {
    case 'createBulkPayment':
    case 'createPeriodicPayment':
      return [
        ...payloadRules(design),
        ...severalPaymentRules(operation),
        ...initiationRules,
        ...paymentRules(operation, design),
      ];
    case 'createSigningBasket':
      return [
        ...payloadRules(design),
        ...fieldRules(design.bodies.basketRequest, design),
        ...initiationRules,
        ...basketRules(design),
      ];
    default:
      return [];
  }
}

/** Which column of the header table applies; reading has none. */
function profileOf(operation: BankOperation): SpecifiedProfile | undefined {
  switch (operation) {
    case 'createBulkPayment':
    case 'createPeriodicPayment':
      return defaultProduct.name;
    case 'sandboxData':
      return 'sandbox';
    case 'page':
    case 'other':
      return undefined;
    default: {
      const { headers }: Operation = operations[operation];
      return isSpecified(headers) ? headers : undefined;
    }
  }
}

const isSpecified = (profile: Operation['headers']): profile is SpecifiedProfile => profile in headerPrefixes;
