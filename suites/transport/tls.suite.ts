import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { answersSoFar } from '../../src/checks/samples.ts';
import { type Handshake, handshake, wayTo } from '../../src/tpp/connection-probe.ts';
import { usualPatienceMs } from '../../src/tpp/pace.ts';
import { scaRedirectOf } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';

type Version = Parameters<typeof handshake>[1];

const shake = ({ target }: CheckContext, version: Version): Promise<Handshake> =>
  handshake(wayTo(target), version, target.tls.client);

const wanted: readonly Version[] = ['TLSv1.2', 'TLSv1.3'];
const unwanted: readonly Version[] = ['TLSv1', 'TLSv1.1'];

/** So often is a connection tried that ends without a word of TLS: a bank may have room for a few at once. */
const mostRounds = 5;

/** Makes room by closing what the run has open; the bank takes a moment to notice. */
async function makeRoom({ client }: CheckContext): Promise<void> {
  const { pace, transport, patienceMs = usualPatienceMs } = client.options;
  await transport.rest?.();
  await pace.wait(patienceMs);
}

/** Until one of the two is taken, or both are refused by TLS itself. */
async function shakeAsWanted(context: CheckContext): Promise<readonly Handshake[]> {
  for (let round = 1; ; round += 1) {
    const answers: Handshake[] = [];
    for (const version of wanted) {
      const answer = await shake(context, version);
      answers.push(answer);
      if (answer.outcome === 'connected') return answers;
    }
    if (round === mostRounds || answers.every(({ isCut }) => isCut !== true)) return answers;
    await makeRoom(context);
  }
}

const isTaken = (answers: readonly Handshake[]): boolean =>
  answers.some(({ outcome }) => outcome === 'connected');

const told = (answers: readonly Handshake[]): string => answers.map(({ said }) => said).join('; ');

export default suite('TLS', section('Authentication', 'Transport and signing'), () => [
  check({
    id: 'TLS-01',
    requirement: 'TLS-01',
    title: 'TLS 1.2 or 1.3 is offered',
    needs: ['https'],
    needsQuiet: true,
    steps: ['Connect with TLS 1.2 alone and with TLS 1.3 alone.'],
    expected: 'at least one of the two handshakes to succeed',
    async run(context) {
      const answers = await shakeAsWanted(context);
      if (isTaken(answers)) return;
      // The run itself speaks nothing below TLS 1.2, so that an answer to it shows what these connections did not.
      const hasAnswered = context.client.options.pace.lastAnswerAt !== undefined;
      const isUntold = answers.some(
        ({ outcome, isCut }) => outcome === 'unreachable' || (hasAnswered && isCut),
      );
      if (isUntold) throw new Inconclusive(told(answers));
      throw new ExpectationFailed('a handshake with TLS 1.2 or 1.3', told(answers));
    },
  }),
  check({
    id: `TLS-01${suffixes.sca}`,
    requirement: 'TLS-01',
    title: 'the link scaRedirect leads to no page without TLS',
    // Transport is that of the service; of the pages for the PSU nothing is said.
    levelUnder: () => 'advisory',
    needs: ['https'],
    steps: ['Look at every link scaRedirect that any check of this run has had.'],
    expected: 'no address that begins with http:',
    observes: true,
    async run(context) {
      const answers = await answersSoFar(context, 'successes', 'scaRequests');
      const open = answers.find((answer) => /^http:/i.test(scaRedirectOf(answer) ?? ''));
      if (open === undefined) return;
      context.evidence = [open.exchange];
      throw new ExpectationFailed('a link scaRedirect to a page behind TLS', scaRedirectOf(open) ?? '');
    },
  }),
  check({
    id: 'TLS-02',
    requirement: 'TLS-02',
    title: 'TLS 1.0 and 1.1 are refused',
    needs: ['https'],
    needsQuiet: true,
    steps: [
      'Connect with TLS 1.2 or 1.3, as control: it must succeed.',
      'Connect with TLS 1.0 alone and with TLS 1.1 alone.',
      'Where such a connection ends without a word of TLS, connect as before once more: it must succeed.',
    ],
    expected: 'both handshakes to fail',
    async run(context) {
      await mustBeTaken(context);
      for (const version of unwanted) {
        const { outcome, said, isCut } = await shake(context, version);
        if (outcome === 'connected')
          throw new ExpectationFailed(`the handshake with ${version} to fail`, said);
        // There may have been no room for it.
        if (isCut === true) await mustBeTaken(context);
      }
    },
  }),
]);

async function mustBeTaken(context: CheckContext): Promise<void> {
  const controls = await shakeAsWanted(context);
  if (!isTaken(controls)) throw new Inconclusive(`The control was refused: ${told(controls)}`);
}
