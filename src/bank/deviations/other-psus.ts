import type { DesignChange } from '../design-changes.ts';
import type { PsuStanding } from '../psu.ts';
import type { BankRequest } from '../route.ts';
import type { BankState } from '../state.ts';

/** The bank takes some requests for those of a PSU who has passed SCA. */
export const trustsPsuWhen =
  (
    isTrusted: (request: BankRequest, standing: PsuStanding['standing'], state: BankState) => boolean,
  ): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      return {
        ...state,
        psus: {
          ...state.psus,
          standingOf: (request, now) => {
            const psu = state.psus.standingOf(request, now);
            return isTrusted(request, psu.standing, now)
              ? { standing: 'authenticated', customerId: '', context: 'PRIVATE' }
              : psu;
          },
        },
      };
    },
  });
