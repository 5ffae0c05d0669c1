import { setTimeout as sleep } from 'node:timers/promises';
import type { DesignChange } from './design-changes.ts';

/** Every answer comes so much later, as over a long line. Nothing else changes. */
export const withLatency =
  (milliseconds: number): DesignChange =>
  (design) => ({
    ...design,
    answers: {
      ...design.answers,
      finish: async (answer, request) => {
        await sleep(milliseconds);
        return design.answers.finish(answer, request);
      },
    },
  });
