import { type DesignChange, withState } from '../design/design-changes.ts';
import type { ScaFlow } from '../state/flows.ts';
import { type Deviation, deviation } from './deviation.ts';

/** What the bank keeps of an SCA is kept once for each TPP, so that the next one to begin takes it from those under way. */
const keptOnce = (what: 'sessionId' | 'redirectUri'): DesignChange =>
  withState(({ flows }) => {
    const begun: ScaFlow[] = [];
    return {
      flows: {
        ...flows,
        start: (start) => {
          for (const flow of begun)
            if (flow.tppId === start.tppId) Object.assign(flow, { [what]: start[what] });
          const flow = flows.start(start);
          begun.push(flow);
          return flow;
        },
      },
    };
  });

/** Two customers of a TPP pass SCA at the same time, and the bank takes one for the other. */
export const mixedFlowDeviations: readonly Deviation[] = [
  deviation(
    'RDR-02/of-the-latest',
    'sends the tpp-session-id of the SCA that the TPP has begun last',
    keptOnce('sessionId'),
  ),
  deviation(
    'SCA-03/of-the-latest',
    'sends the PSU to the address of the SCA that the TPP has begun last',
    keptOnce('redirectUri'),
  ),
];
