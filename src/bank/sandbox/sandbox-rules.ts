import type { Refusal, Rule } from '../route.ts';

/** More than anyone needs, and little enough for a bank that keeps everything in memory. */
const mostRecords = 20_000;
export const mostTransactions = 10_000;

export const conflict = (path: string, text: string): Refusal => ({
  status: 409,
  code: 'CONFLICT',
  path,
  text,
});

export const unknown = (path: string, what: string): Refusal => ({
  status: 404,
  code: 'RESOURCE_UNKNOWN',
  path,
  text: `There is no such ${what}.`,
});

export const sandboxHasRoom: Rule = {
  requirement: 'SBX-46',
  ownChoice: true,
  name: 'the sandbox has room for more data',
  refuses: (_, { customers }) =>
    customers.size() >= mostRecords
      ? {
          status: 409,
          code: 'CONFLICT',
          text: 'The sandbox is full; POST /v1/sandbox/initialise empties it.',
        }
      : undefined,
};
