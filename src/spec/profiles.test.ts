import { describe, expect, it } from 'vitest';
import { requirements } from './catalogue.ts';
import { judgedProfiles, profileIds, profileOf } from './profiles.ts';

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

  it('are judged as declared, or as many as bind the environment', () => {
    expect(judgedProfiles('bank', 'sandbox')).toEqual(profileIds);
    expect(judgedProfiles('bank', 'production')).toEqual(profileIds.filter((id) => id !== 'sandbox'));
    expect(judgedProfiles('bank', 'production', ['accounts', 'sandbox'])).toEqual(['core', 'accounts']);
    expect(judgedProfiles('tpp', 'certification', ['accounts'])).toEqual(['core', 'accounts']);
  });
});
