import { randomInt } from 'node:crypto';
import { describeAnswer } from '../checks/expectation.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Psu } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import type { ScaReturn } from '../tpp/sca/sca-return.ts';
import {
  isLostInSca,
  isStuckInSca,
  mostBeginnings,
  type ScaPerson,
  ScaWalkError,
  type ScaWalker,
} from '../tpp/sca/sca-walker.ts';
import { type PaymentByNumber, startSca } from '../tpp/sca/start-sca.ts';
import { explainTrouble } from './explain-trouble.ts';
import { leadsElsewhere, notFollowed, paymentCalls } from './preflight.ts';

/** What SCA has yielded before the checks began. */
export interface PassedSca {
  readonly id: string;
  /** Of a PSU who acts for a company. */
  readonly corporateId?: string;
  readonly sessionId: string;
  readonly corporate?: {
    readonly id: string;
    readonly corporateId: string;
    readonly sessionId: string;
    readonly nationalId: string;
  };
}

export interface ScaBeforeRun {
  /** Why no check can be run: nobody answers. */
  readonly blocker?: string;
  /** Why no PSU has passed SCA. Whose fault that is, the checks on SCA tell. */
  readonly problem?: string;
  /** Why the PSU of a company that the target file names has not passed SCA, where that does not lie with the file. */
  readonly corporateProblem?: string;
  readonly remarks: readonly string[];
  /** Absent when the target file says all that is needed. */
  readonly passed?: PassedSca;
}

/** The bank did not let the PSU through; the message is a sentence. */
class NotPassed extends Error {}

/**
 * Passes SCA once for the PSUs that the target file gives no PSU-ID for. All checks then share their sessions: another
 * SCA of the same PSU in a new session would end them (Limits).
 */
export async function passScaBeforeRun(
  target: Target,
  client: TppClient,
  walker: ScaWalker,
): Promise<ScaBeforeRun> {
  if (target.psu.sca === 'session') return { remarks: [] };
  const log = (psu: Psu, person: ScaPerson): Promise<ScaReturn> =>
    logIn({ target, client, walker }, psu, person);
  try {
    const known = knownIds(target);
    const own = known ?? (await ownIds(target, client, log));
    const { corporate, ...told } = await corporatePsu(target, client, log);
    if (known !== undefined && corporate === undefined) return told;
    const { sessionId } = target.psu;
    return { ...told, passed: { ...own, sessionId, ...(corporate === undefined ? {} : { corporate }) } };
  } catch (error) {
    if (error instanceof NoAnswerError && !isAnswered(error)) {
      return { blocker: explainTrouble(target, error), remarks: [] };
    }
    const problem = `SCA could not be passed before the run. ${sentenceOf(error)}`;
    const isOfCompany = target.psu.context === 'CORPORATE' || awaitsSca(target);
    return { problem, ...(isOfCompany ? { corporateProblem: problem } : {}), remarks: [] };
  }
}

type LogIn = (psu: Psu, person: ScaPerson) => Promise<ScaReturn>;

type Ids = Pick<PassedSca, 'id' | 'corporateId'>;

/** Those of the target file, where it has all that the context of the PSU takes. */
function knownIds({ psu: { id, corporateId, context } }: Target): Ids | undefined {
  if (id === undefined) return undefined;
  if (context === 'PRIVATE') return { id };
  return corporateId === undefined ? undefined : { id, corporateId };
}

async function ownIds({ psu }: Target, client: TppClient, logIn: LogIn): Promise<Ids> {
  const { context, nationalId = '' } = psu;
  const { psuId: id, psuCorporateId: corporateId } = await logIn(client.psu, { nationalId, context });
  if (id === undefined) throw new NotPassed('The bank sent the PSU back without psu-id.');
  if (context === 'PRIVATE') return { id };
  if (corporateId === undefined)
    throw new NotPassed('The bank sent the PSU of a company back without psu-corporate-id.');
  return { id, corporateId };
}

/** Whether the file names a corporate PSU by whom alone SCA yields the ids. */
const awaitsSca = ({ psu: { corporate } }: Pick<Target, 'psu'>): boolean =>
  corporate?.nationalId !== undefined && (corporate.id === undefined || corporate.corporateId === undefined);

/** A corporate PSU who cannot be logged in leaves the corporate checks out, and does not stop the others. */
async function corporatePsu(
  { psu }: Target,
  client: TppClient,
  logIn: LogIn,
): Promise<Pick<PassedSca, 'corporate'> & Pick<ScaBeforeRun, 'corporateProblem' | 'remarks'>> {
  const { corporate } = psu;
  const nationalId = corporate?.nationalId;
  if (corporate === undefined || nationalId === undefined || !awaitsSca({ psu })) return { remarks: [] };
  if (nationalId === psu.nationalId) {
    return {
      remarks: [
        'psu.corporate.nationalId is that of psu itself: SCA in corporate context would end the private session. Give another person, or psu.corporate.id and corporateId.',
      ],
    };
  }
  try {
    const { sessionId } = corporate;
    const back = await logIn({ ...client.psu, sessionId }, { nationalId, context: 'CORPORATE' });
    const { psuId: id, psuCorporateId: corporateId } = back;
    if (id === undefined || corporateId === undefined) {
      throw new NotPassed('The bank sent the PSU back without psu-id and psu-corporate-id.');
    }
    return { corporate: { id, corporateId, sessionId, nationalId }, remarks: [] };
  } catch (error) {
    if (error instanceof NoAnswerError) throw error;
    const corporateProblem = `SCA could not be passed for psu.corporate. ${sentenceOf(error)}`;
    return { corporateProblem, remarks: [corporateProblem] };
  }
}

/** One form that dies on the way must not take all checks with it: then SCA is begun again, from a new link. */
async function logIn(
  way: { readonly target: Target; readonly client: TppClient; readonly walker: ScaWalker },
  psu: Psu,
  person: ScaPerson,
  beginning = 1,
): Promise<ScaReturn> {
  const { target, client, walker } = way;
  const begin = () =>
    startSca(
      (call, variation) => client.call(call, variation, 'start SCA'),
      psu,
      () => paymentAs(person, target),
    );
  const isDatedByUs = !client.clock.measured;
  const first = await begin();
  // Our own clock may be the one that is off, and the answer has told that of the bank.
  const isAskedAgain = first.link === undefined && isDatedByUs && client.clock.measured;
  const { link, answers } = isAskedAgain ? await begin() : first;
  if (link === undefined) throw new NotPassed(withoutLink(answers));
  const back = await walker.pass(link, person).catch((error: unknown) => {
    if (isLostInSca(error) && beginning < mostBeginnings) return undefined;
    // Once may be a page that something on the way has put in the place of the bank's own.
    if (target.psu.sca === 'form' && isStuckInSca(error) && beginning === 1) return undefined;
    throw error;
  });
  if (back === undefined) return logIn(way, psu, person, beginning + 1);
  if (back.psuId === undefined && back.code !== undefined) {
    throw new NotPassed(`The bank refused: ${[back.status, back.code, back.message].join(' ')}.`);
  }
  return back;
}

/** A payment that SCA can begin with. Undefined where none may be created. */
function paymentAs({ nationalId, context }: ScaPerson, target: Target): PaymentByNumber | undefined {
  const { debtor, corporateDebtor = debtor } = target.accounts;
  const accounts = { ...target.accounts, debtor: context === 'CORPORATE' ? corporateDebtor : debtor };
  const [payment] = paymentCalls({ ...target, accounts }, randomInt(2 ** 31));
  return payment === undefined || nationalId === ''
    ? undefined
    : { payment: payment.call, nationalId, context };
}

const withoutLink = (answers: readonly Answer[]): string =>
  [
    'No request was answered 401 with a link scaRedirect:',
    ...answers.map((answer) => {
      const { method, url } = answer.exchange.request;
      return `  ${method} ${url}: ${describeAnswer(answer)}`;
    }),
    ...(answers.every(leadsElsewhere) ? [notFollowed] : []),
    ...(answers.some((answer) => /debtor/i.test(describeAnswer(answer)))
      ? [
          'Where the PSU cannot pay from accounts.debtor: accounts.corporateDebtor is the account of a company.',
        ]
      : []),
    'Look at signing.certificate (does the bank trust it?) and baseUrl, or give psu.id and psu.sessionId of a PSU who has passed SCA.',
  ].join('\n');

/** Somebody is there, who may well answer other requests. */
const isAnswered = ({ exchanges }: NoAnswerError): boolean =>
  exchanges.some(({ response }) => response !== undefined);

function sentenceOf(error: unknown): string {
  const isTold =
    error instanceof ScaWalkError || error instanceof NotPassed || error instanceof NoAnswerError;
  if (isTold) return error.message;
  throw error;
}
