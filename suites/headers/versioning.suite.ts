import { section, suite } from '../../src/checks/check.ts';
import { anOfferedRequest } from '../../src/checks/subject.ts';
import { accepts, acceptsEvery } from '../../src/checks/trial.ts';
import { acceptFixes } from '../../src/spec/code-lists.ts';
import { initiations } from '../subjects.ts';

const values = acceptFixes.map(({ value }) => value);

const withFixes = (label: string, value: string) => ({
  label,
  request: {
    beforeSigning: ({ headers }: { headers: { set(name: string, value: string): void } }) =>
      headers.set('x-accept-fix', value),
  },
});

export default suite('Versioning', section('Versioning'), [
  initiations.map(({ suffix, of }) =>
    accepts({
      id: `VER-08${suffix}`,
      requirement: 'VER-08',
      title: `${of.title} is accepted with each known value of x-accept-fix`,
      of,
      twists: values.map((value) => withFixes(`x-accept-fix is ${value}`, value)),
      cases: 1,
    }),
  ),
  initiations.map(({ suffix, of }) =>
    accepts({
      id: `VER-02${suffix}`,
      requirement: 'VER-02',
      title: `${of.title} is accepted with several values of x-accept-fix`,
      of,
      twists: [
        withFixes('x-accept-fix has all known values', values.join(',')),
        withFixes('x-accept-fix has all known values, with spaces', values.join(', ')),
      ],
      cases: 2,
    }),
  ),
  acceptsEvery({
    id: 'VER-01',
    requirement: 'VER-01',
    title: 'requests are taken at a path with the prefix /v1',
    of: anOfferedRequest,
    cases: 1,
  }),
]);
