import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { seedOf, shardOf, wholeNumber } from '../runner/arguments.ts';
import type { ProofScope } from './proof-plan.ts';

/** What `npm run proof --` is asked for. */
export interface ProofOptions extends ProofScope {
  readonly threads: number;
  /** What is proved of something else than the checks, instead. */
  readonly faults?: boolean;
  /** A part of the faults. */
  readonly shard?: { readonly index: number; readonly count: number };
  readonly badRequests?: number;
  readonly soak?: number;
  /** A commit whose deviations and dialects are compared with these. */
  readonly sameAs?: string;
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError("Give a pattern of ids, such as AMT-02 or 'NDC-11/.*@'.");
  }
}

/** None is a number of combinations, too. */
const howMany = (text: string): number => (text === '0' ? 0 : wholeNumber(text));

/** Reads the arguments; an error of Commander says what is wrong with them, and has told it. */
export function proofOptionsOf(args: readonly string[]): ProofOptions {
  const command = new Command('npm run proof --')
    .description(
      'Proves the checks on banks and TPPs that are broken on purpose, and on such as are unusual and still compliant.',
    )
    .option(
      '--only <regex>',
      "only deviations and dialects whose id matches, such as AMT-02 or 'NDC-11/.*@'",
      pattern,
    )
    .addOption(new Option('--side <side>', 'only one side').choices(['bank', 'tpp']))
    .option('--full', 'every check against every broken bank')
    .option('--each', 'every dialect of a bank alone, instead of most of them in pools; twice as long')
    .option('--combinations <n>', 'random combinations of dialects', howMany, 200)
    .option('--conditional <n>', 'deviations that show under a condition only', howMany, 450)
    .option('--learning', 'also asks of each broken bank what doctor --learn would make of it; twice as long')
    .option(
      '--seed <n>',
      'draws other combinations, conditions and payloads',
      (text) => seedOf(text),
      20_260_101,
    )
    .option('--shard <i/n>', 'one part of n of what --faults sends', shardOf)
    .option('--threads <n>', 'threads to work with', wholeNumber, availableParallelism())
    .option('--faults', 'the command line against servers that misbehave on the wire, instead')
    .option(
      '--bad-requests <n>',
      'the reference bank under requests that no TPP should send, instead',
      wholeNumber,
    )
    .option(
      '--soak <cases>',
      'the command line with so many cases of each property against a bank in trouble, instead',
      wholeNumber,
    )
    .option(
      '--same-as <commit>',
      'whether the deviations and dialects of that commit answer as those here, instead',
    )
    .exitOverride()
    .parse(args, { from: 'user' });
  const options = command.opts<ProofOptions>();
  if (options.shard !== undefined && options.faults !== true)
    command.error('error: --shard takes a part of --faults. Give --only for a part of the rest.');
  return options;
}

/** Why there was nothing to prove: what was asked for has no such id, or fewer parts than the shards. */
export function whyNothing({ only, shard }: Pick<ProofOptions, 'only' | 'shard'>): string {
  if (shard === undefined || shard.index === 1) return 'nothing to prove has an id that --only matches.';
  const left = `part ${shard.index} of ${shard.count} is empty`;
  return only === undefined
    ? `${left}: there are fewer faults than that. Give --shard fewer parts.`
    : `${left}: fewer faults than that have an id that --only matches. Give --shard fewer parts, or leave it out.`;
}
