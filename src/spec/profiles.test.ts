import { describe, expect, it } from 'vitest';
import { requirementById, requirements } from './catalogue.ts';
import { type Operation, operations } from './operations.ts';
import { judgedProfiles, profileIds, profileOf, takenOutBy } from './profiles.ts';

const operationProfile = (name: string): string | undefined =>
  (operations as Readonly<Record<string, Operation>>)[name]?.profile;

describe('profiles', () => {
  it('hold every requirement, and only profiles that exist for its side', () => {
    const astray = requirements.filter(
      ({ profiles, side }) =>
        profiles.length === 0 || profiles.some((id) => !profileOf(id).sides.includes(side)),
    );
    expect(astray.map(({ id }) => id)).toEqual([]);
  });

  it('have something to judge, for each side that they can be declared for', () => {
    const empty = profileIds.flatMap((id) =>
      profileOf(id)
        .sides.filter(
          (side) =>
            !requirements.some(
              (requirement) =>
                requirement.side === side &&
                requirement.level === 'must' &&
                requirement.unobservable === undefined &&
                requirement.profiles.includes(id),
            ),
        )
        .map((side) => `${id} ${side}`),
    );
    expect(empty).toEqual([]);
  });

  it('need not be named with core, which all include and nothing shares', () => {
    const both = requirements.filter(({ profiles }) => profiles.includes('core') && profiles.length > 1);
    expect(both.map(({ id }) => id)).toEqual([]);
  });

  it('rest on operations and requirements of their own', () => {
    const astray = profileIds.flatMap((id) =>
      (profileOf(id).restsOn ?? []).filter(
        (what) => operationProfile(what) !== id && requirementById.get(what)?.profiles.includes(id) !== true,
      ),
    );
    expect(astray).toEqual([]);
  });

  it('go with what they rest on, and core with nothing', () => {
    const declared = [{ what: 'createCrossBorderPayment' }, { what: 'ACC-01' }, { what: 'core' }];
    expect(profileIds.filter((id) => takenOutBy(id, declared) !== undefined)).toEqual([
      'cross-border-payments',
      'accounts',
    ]);
  });

  it('are judged as declared, or as many as bind the environment', () => {
    expect(judgedProfiles('bank', 'sandbox')).toEqual(profileIds);
    expect(judgedProfiles('bank', 'production')).toEqual(profileIds.filter((id) => id !== 'sandbox'));
    expect(judgedProfiles('bank', 'production', ['accounts', 'sandbox'])).toEqual(['core', 'accounts']);
    expect(judgedProfiles('tpp', 'certification', ['accounts'])).toEqual(['core', 'accounts']);
  });
});
