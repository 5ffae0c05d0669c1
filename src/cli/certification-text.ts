import { join, relative } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { controlPaths } from '../certification/certification-bank.ts';
import { certificationEnvironment, isMandatory, type Journey, journeys } from '../certification/journeys.ts';
import { boundText } from '../certification/judge-session.ts';
import { isUnreadable, recordingFile, unredactedFolder } from '../certification/recording.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { painter } from '../report/paint.ts';
import { wrap } from '../report/wrapped-text.ts';
import { idList } from '../runner/arguments.ts';
import type { Certification, CertificationListener } from '../runner/certification.ts';
import { tool } from '../runner/package.ts';
import { requirementById } from '../spec/catalogue.ts';
import { judgedProfiles, type ProfileId } from '../spec/profiles.ts';
import { nearest } from '../target/nearest.ts';
import { customerLines } from './customer-lines.ts';
import type { Terminal } from './terminal.ts';

/** What a TPP can be certified for; `core` is part of each. */
export const tppProfiles = judgedProfiles('tpp', certificationEnvironment).filter((id) => id !== 'core');

export function tppProfileList(text: string): readonly ProfileId[] {
  return idList(text).map((id) => {
    const found = tppProfiles.find((profile) => profile === id);
    if (found !== undefined) return found;
    const near = nearest(id, tppProfiles);
    throw new InvalidArgumentError(
      `There is no profile "${id}" of a TPP.${near === undefined ? '' : ` Did you mean ${near}?`} There are: ${tppProfiles.join(', ')}.`,
    );
  });
}

/** Where everything stands that a TPP needs before its first request. */
export interface CertificationPlaces {
  /** The folder of the run. */
  readonly out: string;
  /** The authority of the bank's own certificates. */
  readonly caFile: string;
  /** The certificate that the bank signs its responses with. */
  readonly signerFile: string;
  readonly targetFile: string;
  /** The identity that was made for the TPP; absent where it brings its own. */
  readonly identity?: { readonly certificate: string; readonly privateKey: string };
}

const shown = (file: string): string => relative('', file) || '.';

const customersOf = ({ bank }: Certification) => {
  const { customers } = bank.state;
  return customers.list().map(({ customerNumber, customerType, customerName }) => ({
    customerNumber,
    customerType,
    customerName,
    accounts: customers
      .accountsOf(customerNumber)
      .map(({ bban, iban, currency }) => ({ bban, iban, currency })),
    cardAccounts: customers.cardAccountsOf(customerNumber).map(({ identification }) => identification),
  }));
};

/** The same as the welcome, for a program: one line, before the first request. */
export function describeForProgram(
  certification: Certification,
  { caFile, signerFile, targetFile, identity, out }: CertificationPlaces,
  profiles: readonly ProfileId[],
  running?: { readonly url: string; readonly apiUrl: string; readonly token: string },
): string {
  const { baseUrl, finishUrl } = certification;
  const told = {
    baseUrl,
    ...(running === undefined
      ? {}
      : { console: { url: running.url, apiUrl: running.apiUrl, token: running.token } }),
    progressUrl: `${baseUrl}${controlPaths.progress}`,
    finishUrl,
    authority: caFile,
    responsesSignedWith: signerFile,
    ...(identity === undefined ? {} : { identity }),
    targetFile,
    recording: join(unredactedFolder(out), recordingFile),
    profiles,
    customers: customersOf(certification),
    journeys: journeys.map(({ id, mandatoryIn, goal }) => ({ id, mandatoryIn, goal })),
  };
  return `${JSON.stringify(told)}\n`;
}

/** What whoever runs the TPP has to know. */
export function welcome(
  certification: Certification,
  { out, caFile, signerFile, targetFile, identity }: CertificationPlaces,
  until: readonly Journey[],
  profiles: readonly ProfileId[],
  { room, consoleUrl }: { readonly room: number; readonly consoleUrl?: string | undefined },
): string {
  const { baseUrl, finishUrl } = certification;
  const signs =
    identity === undefined
      ? 'its own certificate, from the authority given by --tpp-ca'
      : `${shown(identity.certificate)} and ${shown(identity.privateKey)}\n               (or its own, with --tpp-ca)`;
  return [
    `Certification of a TPP, ${tool.name} ${tool.version}`,
    '',
    `  Base URL     ${baseUrl}`,
    `  Authority    ${shown(caFile)}`,
    `  TPP signs    with ${signs}`,
    `  Bank signs   with ${shown(signerFile)}`,
    `  Target file  ${shown(targetFile)}`,
    `  Recording    ${shown(join(unredactedFolder(out), recordingFile))}`,
    '               (not redacted: keep it to yourself)',
    `  Profiles     ${profiles.join(', ') || 'those that the TPP uses'}`,
    ...(consoleUrl === undefined ? [] : [`  Console      ${consoleUrl}`]),
    `  Progress     GET ${baseUrl}${controlPaths.progress}`,
    `  Finish       POST ${finishUrl}`,
    '               or Ctrl-C',
    '',
    ...customerLines(
      customersOf(certification).map(({ customerType, customerName, cardAccounts, ...customer }) => ({
        ...customer,
        type: customerType,
        name: customerName,
        cards: cardAccounts,
      })),
    ),
    '',
    ...journeyLines(profiles, room),
    '',
    until.length === journeys.length
      ? 'It ends when all of them are complete.'
      : wrap(`It ends when these are complete: ${until.map(({ id }) => id).join(', ')}.`, room),
    ...(identity === undefined
      ? []
      : [
          `See how it looks:  npx xs2a-conformance reference-tpp ${shown(join(targetFile, '..'))}${profiles.length === 0 ? '' : ` --profile ${profiles.join(',')}`}`,
        ]),
    '',
    '',
  ].join('\n');
}

/** What is mandatory in full; of the rest what it is about, or only its name where profiles were chosen. */
function journeyLines(profiles: readonly ProfileId[], room: number): readonly string[] {
  const chosen: readonly ProfileId[] = profiles.length === 0 ? tppProfiles : profiles;
  const isDue = (journey: Journey): boolean => isMandatory(journey, ['core', ...chosen]);
  const width = Math.max(...journeys.map(({ id }) => id.length));
  const indent = ' '.repeat(width + 4);
  const inBrackets = (journey: Journey): string =>
    profiles.length === 0 && isDue(journey) ? ` (${journey.mandatoryIn.join(', ')})` : '';
  const told = (journey: Journey): readonly string[] => [
    `  ${journey.id.padEnd(width)}  ${wrap(`${journey.goal}${inBrackets(journey)}`, room, indent)}`,
    ...(isDue(journey)
      ? journey.requests.map((request) => `${indent}- ${wrap(request, room, `${indent}  `)}`)
      : []),
  ];
  const optional = journeys.filter((journey) => !isDue(journey));
  return [
    profiles.length === 0
      ? 'Mandatory journeys, in any order; in brackets the profiles that demand them:'
      : 'Mandatory journeys of the profile, in any order:',
    ...journeys.filter(isDue).flatMap(told),
    '',
    'Further journeys; optional, but what the TPP shows is judged:',
    ...(profiles.length === 0
      ? optional.flatMap(told)
      : [`  ${wrap(optional.map(({ id }) => id).join(', '), room, '  ')}`]),
  ];
}

/** Why mandatory journeys are not complete, as far as refusals of the bank tell. */
export function missingJourneyLines(
  results: readonly CheckResult[],
  profiles: readonly string[],
): readonly string[] {
  return results
    .filter(({ journey, verdict }) => {
      return verdict !== 'pass' && journey?.mandatoryIn.some((id) => profiles.includes(id)) === true;
    })
    .flatMap(({ journey, notes }) => notes.map((note) => `  ${journey?.id}: ${oneShortLine(note, 240)}`));
}

/** What a certification tells while it goes on, line by line, so that a log of a build server reads the same. */
export function certificationLog(terminal: Terminal, profiles: readonly ProfileId[]): CertificationListener {
  const paint = painter(terminal.colour);
  const completed = new Set<string>();
  const mandatory = journeys.filter((journey) => isMandatory(journey, profiles));
  const seen = new Set<string>();
  const observable = [...requirementById.values()].filter(
    ({ side, unobservable }) => side === 'tpp' && unobservable === undefined,
  );
  return {
    exchange: (exchange) => {
      if (exchange.operation === 'page' && exchange.status < 400 && exchange.status !== 303) return;
      const { status, method, path, recorded, at } = exchange;
      const style = status < 400 ? 'green' : recorded.provocation === undefined ? 'yellow' : 'cyan';
      const why = recorded.provocation ?? exchange.answer.messages[0]?.text;
      terminal.write(
        `${[
          paint('gray', at.toISOString().slice(11, 23)),
          paint(style, String(status)),
          method.padEnd(6),
          oneShortLine(path, 100),
          ...(why === undefined ? [] : [paint('gray', oneShortLine(why, 160))]),
        ].join('  ')}\n`,
      );
    },
    failedConnection: (connection) => {
      const what = isUnreadable(connection) ? 'a request that is no HTTP' : 'TLS handshake failed';
      const why = oneShortLine(`${connection.code} ${connection.message}`.trim(), 200);
      terminal.write(`${paint('yellow', what)}  ${why}\n`);
    },
    bound: (bound) =>
      terminal.write(`${paint('yellow', 'not kept')}  ${oneShortLine(boundText(bound), 300)}\n`),
    news: ({ completed: now, seen: requirements, failed, settled }) => {
      for (const { id } of now) {
        completed.add(id);
        const done = mandatory.filter((journey) => completed.has(journey.id)).length;
        terminal.write(
          `${paint('green', '✓ journey')}  ${id}  ${paint('gray', `${done} of ${mandatory.length} mandatory, ${completed.size} of ${journeys.length} in all`)}\n`,
        );
      }
      for (const { id, title, actual = '' } of failed) {
        terminal.write(`${paint('red', `✗ ${id}`)}  ${title}: ${oneShortLine(actual, 240)}\n`);
      }
      for (const id of settled) {
        terminal.write(`${paint('green', `✓ ${id}`)}  in order now: what was missing came later\n`);
      }
      if (requirements.length === 0) return;
      for (const id of requirements) seen.add(id);
      terminal.write(
        `${paint('gray', `· seen ${seen.size} of ${observable.length} requirements, new: ${requirements.join(', ')}`)}\n`,
      );
    },
  };
}
