import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { correctBehaviour, offering } from '../certification/reference-tpp/behaviour.ts';
import { ReferenceTpp } from '../certification/reference-tpp/reference-tpp.ts';
import { connectTpp } from '../certification/tpp-connection.ts';
import { announceProgram } from '../runner/open-target.ts';
import { transportTo } from '../runner/run-context.ts';
import { certificationCustomers, sandboxFiles } from '../runner/sandbox-folder.ts';
import type { ProfileId } from '../spec/profiles.ts';
import { loadTarget } from '../target/load-target.ts';
import { tppProfileList } from './certification-text.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

export const referenceTppCommand = (finish: Finish): Command =>
  new Command('reference-tpp')
    .argument('<target>', 'target file of the bank, or the folder that certify-tpp has written it to')
    .option('--profile <ids>', 'go through what these profiles demand and nothing else', tppProfileList)
    .addHelpText(
      'after',
      `
It goes through all journeys of a certification, so that you can see what one
looks like.

Examples:
  $ xs2a-conformance certify-tpp --port 8443
  $ xs2a-conformance reference-tpp xs2a-sandbox         (in another terminal)

Exit codes: 0 every journey was gone through, 1 something went wrong.`,
    )
    .action(async (target: string, { profile }: ReferenceTppFlags) =>
      finish(await goThroughJourneys(target, profile)),
    );

interface ReferenceTppFlags {
  readonly profile?: readonly ProfileId[];
}

async function goThroughJourneys(named: string, profiles: ReferenceTppFlags['profile']): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const target = await loadTarget(fileOf(named), {}, process.env, announceProgram);
  if (!target.mayCreatePayments)
    throw new CommandError(
      target.whyUnstated ??
        'Journeys create payments, and this target is a production environment. Name a sandbox.',
    );
  const transport = transportTo(target);
  const { private: nationalId, corporate } = certificationCustomers;
  const tpp = new ReferenceTpp({
    ...connectTpp({
      baseUrl: target.baseUrl,
      identity: target.identities.main,
      transport,
      psu: target.psu,
    }),
    customers: {
      private: target.psu.nationalId ?? nationalId,
      corporate: target.psu.corporate?.nationalId ?? corporate,
    },
    facts: {
      debtor: { bban: target.accounts.debtor.bban, currency: target.accounts.debtor.currency },
      corporateDebtor: certificationCustomers.corporateDebtor,
      card: target.accounts.card ?? certificationCustomers.card,
    },
    behaviour: profiles === undefined ? correctBehaviour : offering(...profiles)(correctBehaviour),
    sleep,
    tell: (line) => terminal.write(`${line}\n`),
  });
  const problems = await tpp.completeJourneys();
  await transport.close();
  return problems.length === 0 ? exitCodes.conformant : exitCodes.nonConformant;
}

function fileOf(named: string): string {
  const path = resolve(named);
  try {
    return statSync(path).isDirectory() ? join(path, sandboxFiles.target) : path;
  } catch {
    throw new CommandError(
      `${named} does not exist. Give a target file, or the folder that certify-tpp wrote.`,
    );
  }
}
