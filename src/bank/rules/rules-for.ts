import { headerPrefixes, type SpecifiedProfile } from '../../spec/headers.ts';
import { type Operation, operations } from '../../spec/operations.ts';
import { createdBy, defaultProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import type { BankOperation, Rule } from '../design/route.ts';
import { amountRules } from './amount-rules.ts';
import { basketRules } from './basket-rules.ts';
import { certificateRules } from './certificate-rules.ts';
import { clockRules } from './clock-rules.ts';
import { combinationRules } from './combination-rules.ts';
import { digestRules } from './digest-rules.ts';
import { fieldRules } from './field-rules.ts';
import { headerRules, presenceRules, repetitionRules } from './header-rules.ts';
import { kidRules } from './kid-rules.ts';
import { payloadRules } from './payload-rules.ts';
import { paymentRules, severalPaymentRules } from './payment-rules.ts';
import { initiationRules } from './psu-rules.ts';
import { signatureRules } from './signature-rules.ts';

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
