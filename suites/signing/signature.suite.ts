import { section, suite } from '../../src/checks/check.ts';
import { rejectedWith } from '../../src/checks/expectation.ts';
import { refuses } from '../../src/checks/trial.ts';
import { everyOperation } from '../subjects.ts';
import { flipOneBit, otherKey, signedWithAnotherHash, signedWithAnotherKey } from './forgeries.ts';

const headerRequirement: Readonly<Record<string, string>> = {
  '': 'HDN-14',
  '-cross-border': 'HDC-14',
  '-basket': 'HDB-14',
  '-sandbox': 'HDS-14',
};

export default suite('Signature', section('Authentication', 'Transport and signing'), [
  everyOperation.map(({ suffix, of }) =>
    refuses({
      id: `SIG-01${suffix}`,
      requirements: ['SIG-01', headerRequirement[suffix] ?? 'HDN-14'],
      title: `${of.title} without a Signature header is rejected with 400`,
      of,
      twists: [
        {
          label: 'the Signature header is missing',
          points: 'Signature',
          request: { signing: { format: () => undefined } },
        },
      ],
      expected: rejectedWith(400),
      cases: 2,
    }),
  ),
  everyOperation.map(({ suffix, of }) =>
    refuses({
      id: `SIG-02${suffix}`,
      requirements: ['SIG-02'],
      title: `${of.title} whose signature does not verify is rejected with 400`,
      of,
      twists: [
        { label: 'one bit of the signature is flipped', request: { signing: { parts: flipOneBit } } },
        {
          label: 'the signature is that of another text',
          request: { signing: { text: () => 'date: Thu, 01 Jan 1970 00:00:00 GMT' } },
        },
        {
          label: 'the signature is no Base64',
          request: { signing: { parts: (parts) => ({ ...parts, signature: '*signed*' }) } },
        },
      ],
      expected: rejectedWith(400),
      cases: 3,
    }),
  ),
  everyOperation.map(({ suffix, of }) =>
    refuses({
      id: `CRT-07${suffix}`,
      requirements: ['CRT-07'],
      title: `${of.title} signed with another key than the certificate’s is rejected with 400`,
      of,
      twists: [
        {
          label: 'another key signed',
          request: async () => ({ signing: { sign: signedWithAnotherKey(await otherKey()) } }),
        },
      ],
      expected: rejectedWith(400),
      cases: 1,
    }),
  ),
  everyOperation.map(({ suffix, of }) =>
    refuses({
      id: `SGH-14${suffix}`,
      requirements: ['SGH-14'],
      title: `${of.title} with a signature over another hash than SHA-256 is rejected with 400`,
      of,
      twists: [
        { label: 'SHA-512 was used', request: { signing: { sign: signedWithAnotherHash('sha512') } } },
        { label: 'SHA-1 was used', request: { signing: { sign: signedWithAnotherHash('sha1') } } },
      ],
      expected: rejectedWith(400),
      cases: 2,
    }),
  ),
]);
