import { expect, it } from 'vitest';
import { askedOf } from '../../src/checks/case.ts';
import { fakeRunContext } from '../../src/checks/fake-run-context.test.data.ts';
import { sanctionedCurrencies } from '../../src/spec/countries.ts';
import { judgedCurrencies } from '../../src/spec/currencies.ts';
import { demandsOf, pathText } from '../../src/spec/field.ts';
import { everyProduct } from '../../src/spec/products.ts';
import { rightAmountsOf } from './carried-lists.ts';
import { listOf } from './listed-values.ts';

it.each([1, 2])('every product meets every currency with seed %i, in an amount or an account', (seed) => {
  const context = fakeRunContext(undefined, { seed }).contextFor('AMT-01', 0);
  for (const [place, product] of everyProduct.entries()) {
    const accounts = demandsOf(product.table).find(
      ({ path, facet }) => pathText(path) === 'creditorAccount.currency' && facet === 'values',
    );
    if (accounts === undefined) throw new Error('No list of currencies.');
    const sharesList = { place, among: everyProduct.length };
    const asked = [
      ...askedOf({ twists: rightAmountsOf({ name: 'domestic' }), sharesList }, context),
      ...askedOf(listOf(product.table, accounts), context),
    ];
    const told = asked.map(({ label }) => /\b[A-Z]{3}\b/.exec(label)?.[0]);
    const missing = judgedCurrencies.filter((currency) => !told.includes(currency));
    // Who is under sanctions may be refused.
    expect(missing).toEqual(missing.filter((currency) => sanctionedCurrencies.has(currency)));
    // And not twice.
    expect(asked.length).toBeLessThan(1.5 * judgedCurrencies.length);
  }
});
