import { defaultPace } from '../target.ts';
import { section } from './json-schema.ts';

export const paceSchema = section(
  'How fast the suite may go',
  {
    concurrency: {
      description: 'requests under way at the same time, a whole number from 1 to 1000',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: defaultPace.concurrency,
    },
    requestsPerSecond: {
      description:
        'requests begun per second, at most; 0 sets no limit, which is the default for a bank on this machine',
      type: 'number',
      minimum: 0,
      default: defaultPace.requestsPerSecond,
    },
    timeoutMs: {
      description: 'milliseconds after which a request counts as lost, a whole number from 1 to 600000',
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      default: defaultPace.timeoutMs,
    },
    retries: {
      description: 'how often a request that died in transport is tried again, a whole number from 0 to 10',
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: defaultPace.retries,
    },
  },
  { examples: [defaultPace] },
);
