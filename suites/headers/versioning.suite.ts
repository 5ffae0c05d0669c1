import { section, suite } from '../../src/checks/check.ts';
import { anOfferedRequest } from '../../src/checks/subject.ts';
import { accepts, acceptsEvery } from '../../src/checks/trial.ts';
import { initiations } from '../subjects.ts';
import { carrierOfHeaders, eachFix, severalFixes } from './carried-headers.ts';

export default suite('Versioning', section('Versioning'), () => [
  initiations.map(({ suffix, of, headers }) =>
    accepts({
      id: `VER-08${suffix}`,
      requirement: 'VER-08',
      title: `${of.title} is accepted with each known value of x-accept-fix`,
      of,
      twists: eachFix,
      carrier: carrierOfHeaders(headers),
      cases: 1,
    }),
  ),
  initiations.map(({ suffix, of, headers }) =>
    accepts({
      id: `VER-02${suffix}`,
      requirement: 'VER-02',
      title: `${of.title} is accepted with several values of x-accept-fix`,
      of,
      twists: severalFixes,
      carrier: carrierOfHeaders(headers),
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
