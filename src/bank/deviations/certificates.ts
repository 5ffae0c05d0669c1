import type { DesignChange } from '../design-changes.ts';
import { alsoAt } from './at-one-operation.ts';
import { type Deviation, deviation } from './deviation.ts';
import { of, overlooking } from './rule-changes.ts';

const day = 86_400_000;

/** Trust that goes by more, or less, than whether an authority issued it: `isKnown` tells whether its name is trusted. */
const trusting =
  (judge: (isIssued: boolean, isKnown: boolean) => boolean): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      const names = new Set<string>();
      return {
        ...state,
        trust: {
          trusts: (certificate) => {
            const isIssued = state.trust.trusts(certificate);
            if (isIssued) names.add(certificate.issuer);
            return judge(isIssued, names.has(certificate.issuer));
          },
        },
      };
    },
  });

export const certificateDeviations: readonly Deviation[] = [
  deviation(
    'CRT-01/by-name',
    'trusts whoever bears the name of a trusted authority',
    trusting((_, isKnown) => isKnown),
  ),
  deviation(
    'CRT-01/unknown-pass',
    'trusts authorities that it has never heard of',
    trusting((isIssued, isKnown) => isIssued || !isKnown),
  ),
  deviation(
    'CRT-02/a-month-of-grace',
    'takes a certificate for a month after it has expired',
    overlooking(of('CRT-02'), ({ certificate }, { clock }) =>
      certificate === undefined ? false : clock.now().getTime() - certificate.notAfter.getTime() < 30 * day,
    ),
  ),
  deviation(
    'CRT-03/a-month-early',
    'takes a certificate a month before it is valid',
    overlooking(of('CRT-03'), ({ certificate }, { clock }) =>
      certificate === undefined ? false : certificate.notBefore.getTime() - clock.now().getTime() < 30 * day,
    ),
  ),
  ...alsoAt(
    ['domestic'],
    deviation('CRT-04/any-role', 'lets an AISP create payments', (design) => ({
      ...design,
      roles: (operation) => {
        const roles = design.roles(operation);
        return roles.includes('PSP_PI') ? [...roles, 'PSP_AI'] : roles;
      },
    })),
  ),
  deviation(
    'CRT-04/no-role',
    'takes a certificate that names no role for one of every role',
    overlooking(of('CRT-04'), ({ certificate }) => certificate?.roles.length === 0),
  ),
  deviation('CRT-05/any-role', 'lets a PISP read accounts', (design) => ({
    ...design,
    roles: (operation) => {
      const roles = design.roles(operation);
      return roles.includes('PSP_AI') ? [...roles, 'PSP_PI'] : roles;
    },
  })),
];
