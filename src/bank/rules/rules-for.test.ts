import { describe, expect, it } from 'vitest';
import { bodies } from '../../spec/bodies/index.ts';
import { requirementById } from '../../spec/catalogue.ts';
import { demandsOf } from '../../spec/field.ts';
import { headerId, headerRows, specifiedProfiles } from '../../spec/headers.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import { serves } from '../design/design-changes.ts';

const routes = routesOf(compliantDesign);
const rules = routes.flatMap((route) => route.rules);
const isServed = (id: string): boolean => rules.some((rule) => serves(rule, id));

describe('the rules of the bank', () => {
  it('are tied to requirements of the catalogue', () => {
    const unknown = rules
      .flatMap(({ requirement, also = [] }) => [requirement, ...also])
      .filter((id) => !requirementById.has(id));
    expect(unknown).toEqual([]);
  });

  it('have a name of their own within an operation', () => {
    for (const route of routes) {
      const names = route.rules.map(({ requirement, name }) => `${requirement} ${name}`);
      expect(new Set(names).size, route.path).toBe(names.length);
    }
  });

  it.each(['domesticPayment', 'crossBorderPayment', 'basketRequest'] as const)(
    'cover every demand of the table %s',
    (body) => {
      const missing = demandsOf(bodies[body])
        .map(({ id }) => id)
        .filter((id) => !isServed(id));
      expect(missing).toEqual([]);
    },
  );

  it.each(specifiedProfiles)('cover every demand of the header table for %s', (profile) => {
    const missing = headerRows
      .flatMap((row) => [
        ...(row.required.includes(profile) ? [row.number] : []),
        ...(row.type !== undefined && [...row.required, ...row.optional].includes(profile)
          ? [row.type.number]
          : []),
      ])
      .map((number) => headerId(profile, number))
      .filter((id) => !isServed(id));
    expect(missing).toEqual([]);
  });

  it('cover every requirement of the catalogue that tells of a refusal', () => {
    const missing = [...requirementById.values()]
      .filter(
        ({ side, statement }) => side === 'bank' && /\b(?:is|are) (?:refused|rejected)\b/.test(statement),
      )
      .map(({ id }) => id)
      .filter((id) => !isServed(id));
    // Older TLS is refused before there is a request, and SCA-18 under a reading that is not the default.
    expect(missing.toSorted()).toEqual(['SCA-18', 'TLS-02']);
  });

  it('guard every operation that is no page by a signature', () => {
    for (const route of routes.filter(({ operation }) => operation !== 'page')) {
      expect(
        route.rules.some(({ requirement }) => requirement === 'SIG-01'),
        route.path,
      ).toBe(true);
    }
  });
});
