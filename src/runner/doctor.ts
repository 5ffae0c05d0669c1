import type { Certificate } from 'node:tls';
import type { RunContext } from '../checks/context.ts';
import type { PlacedCheck } from '../checks/engine.ts';
import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import type { Gap } from '../report/outcome.ts';
import { dayMs, isoDate } from '../spec/days.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { endpointOf, probeTls, reach, resolveHost, type Way, wayTo } from '../tpp/connection-probe.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { patiently } from '../tpp/patience.ts';
import type { Redactor } from '../tpp/redaction.ts';
import { shownProxy } from '../tpp/tunnel.ts';
import { gapsOfDryRun } from './dry-run.ts';
import { tlsRemedy, troubleRemedies } from './explain-trouble.ts';
import { learnTheCompanyAccount, withCompanyAccount } from './learn-company-account.ts';
import { learnSessions } from './learn-ripening.ts';
import { namedPayments } from './named-payments.ts';
import { isPage, paymentCalls, readingCall } from './preflight.ts';
import { createRunContext, psuOf } from './run-context.ts';
import { passScaBeforeRun } from './sca-before-run.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly said: string;
  /** What to do about it. */
  readonly remedy?: string;
}

type Outcome = Omit<Finding, 'name'>;

interface Step {
  readonly name: string;
  /** A step without which those after it make no sense. */
  readonly isBlocking?: boolean;
  look(): Promise<Outcome>;
}

const ok = (said: string): Outcome => ({ state: 'ok', said });
const warning = (said: string, remedy: string): Outcome => ({ state: 'warning', said, remedy });
const failed = (said: string, remedy: string): Outcome => ({ state: 'failed', said, remedy });
const skipped = (said: string): Outcome => ({ state: 'skipped', said });

/** Looks at everything between this machine and a verdict, in the order in which it can fail. */
export async function examine(
  target: Target,
  redactor: Redactor,
  seed: number,
  checks: readonly PlacedCheck[],
  onFinding: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const runContext = createRunContext({ target, seed, runs: 1, redactor });
  const findings: Finding[] = [];
  try {
    let blocker: string | undefined;
    for (const { name, isBlocking, look } of [
      ...warningSteps(target),
      ...connectionSteps(target),
      ...interfaceSteps(target, seed, runContext, checks),
    ]) {
      const outcome =
        blocker === undefined
          ? await look().catch(asOutcome)
          : skipped(`not tried, because ${blocker} failed`);
      if (isBlocking === true && outcome.state === 'failed') blocker = name;
      const finding = redactor.value({ name, ...outcome });
      findings.push(finding);
      onFinding(finding);
    }
  } finally {
    await runContext.close();
  }
  return findings;
}

function asOutcome(error: unknown): Outcome {
  if (!(error instanceof NoAnswerError)) throw error;
  const said = error.exchanges.at(-1)?.trouble?.message ?? error.message;
  return failed(said, troubleRemedies[error.kind]);
}

const warningSteps = ({ warnings }: Target): readonly Step[] =>
  warnings.map(({ path, message }) => ({
    name: 'Target file',
    look: async () => ({ state: 'warning', said: `${path}: ${message}` }),
  }));

function connectionSteps(target: Target): readonly Step[] {
  const { baseUrl, tls, identities } = target;
  const way = wayTo(target);
  return [
    {
      name: 'Certificate',
      look: async () => aboutCertificate(identities.main.certificate),
    },
    ...(way.proxy === undefined ? straightSteps(way) : [proxyStep(way, way.proxy)]),
    {
      name: 'TLS',
      isBlocking: true,
      look: async () => {
        if (!/^https:/i.test(baseUrl)) return warning('plain HTTP', 'Give an https address as baseUrl.');
        try {
          const probe = await probeTls(way, tls);
          const { subject, issuer, valid_to: until } = probe.certificate;
          const named = `${probe.protocol}, ${nameOf(subject)}, issued by ${nameOf(issuer)}, valid until ${isoDate(new Date(until))}`;
          if (probe.distrust === undefined) return ok(named);
          const said = `${named}; not trusted: ${probe.distrust}`;
          return tls.insecure
            ? warning(
                said,
                'tls.insecure takes it for a first look; give its authority as tls.ca for a verdict.',
              )
            : failed(said, tlsRemedy(probe.distrust));
        } catch (error) {
          return failed(messageOf(error), tlsRemedy(messageOf(error)));
        }
      },
    },
  ];
}

function straightSteps(way: Way): readonly Step[] {
  const { host, port } = endpointOf(way.baseUrl);
  return [
    {
      name: 'DNS',
      isBlocking: true,
      look: async () => {
        try {
          const addresses = await resolveHost(host, way.timeoutMs);
          return ok(`${host} is ${addresses.join(', ')}`);
        } catch (error) {
          return failed(`${host}: ${messageOf(error)}`, troubleRemedies.dns);
        }
      },
    },
    {
      name: 'TCP',
      isBlocking: true,
      look: async () => {
        try {
          return ok(`port ${port} answers within ${await reach(way)} ms`);
        } catch (error) {
          return failed(`port ${port}: ${messageOf(error)}`, troubleRemedies.refused);
        }
      },
    },
  ];
}

/** The proxy looks up the name and opens the connection: how is not seen from here. */
const proxyStep = (way: Way, proxy: string): Step => ({
  name: 'Proxy',
  isBlocking: true,
  look: async () => {
    const { host, port } = endpointOf(way.baseUrl);
    try {
      return ok(`${shownProxy(proxy)} leads to ${host}, port ${port}, within ${await reach(way)} ms`);
    } catch (error) {
      return failed(messageOf(error), troubleRemedies.proxy);
    }
  },
});

function interfaceSteps(
  target: Target,
  seed: number,
  runContext: RunContext,
  checks: readonly PlacedCheck[],
): readonly Step[] {
  const { walker } = runContext;
  let { client } = runContext;
  /** Once it is known who has passed SCA. */
  let psu: Target['psu'] | undefined;
  const read = readingCall(target);
  let hasNoPsu = false;
  const refusal = (answer: Answer, remedy: string): Outcome =>
    isPage(answer)
      ? notTheInterface(answer)
      : failed(describeAnswer(answer), answer.status >= 500 ? ownFault : remedy);
  return [
    {
      name: 'Signed request',
      isBlocking: true,
      look: async () => {
        const answer = await client.call(read.call, {}, 'doctor');
        if (isPage(answer)) return notTheInterface(answer);
        const said = `${read.name}: ${answer.status}`;
        if (wentThrough(answer, target.readings) || answer.asksForSca) return ok(said);
        if (answer.isAbsent && isPaymentsOnly(target)) return warning(said, paymentsTell);
        const declaration = answer.isAbsent ? ` ${declarationOf(read.call)}` : '';
        return refusal(answer, `${signatureRemedy}${declaration}`);
      },
    },
    { name: 'Clock', look: async () => aboutClock(client) },
    {
      name: 'SCA',
      look: async () => {
        if (target.psu.sca === 'manual' && target.psu.id === undefined) {
          return skipped('by hand: a run prints the link that you follow');
        }
        const {
          blocker,
          problem = blocker,
          passed,
          remarks,
        } = await passScaBeforeRun(target, client, walker);
        hasNoPsu = problem !== undefined;
        if (problem !== undefined) return failed(problem, scaRemedy(target));
        psu = { ...target.psu, ...passed };
        if (passed !== undefined) client = client.with({ psu: psuOf({ psu }) });
        const ofSessions = passed === undefined ? [] : await learnSessions(client, passed);
        const answer = await client.call({ operation: 'listAccounts' }, {}, 'doctor');
        if (answer.asksForSca) return refusal(answer, scaRemedy(target));
        const how = passed === undefined ? 'the PSU-ID and session of the target file hold' : 'passed';
        const [remark] = [...remarks, ...ofSessions];
        return remark === undefined ? ok(`${how} (accounts: ${answer.status})`) : warning(how, remark);
      },
    },
    ...[
      ...paymentCalls(target, seed).map((payment) => ({
        ...payment,
        remedy: paymentRemedy(/cross/.test(payment.name) ? creditorAbroad : creditorAtHome),
      })),
      ...namedPayments(target, seed),
    ].map(
      ({ name, call, remedy }): Step => ({
        name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        look: async () => {
          if (hasNoPsu) return skipped('not tried, because SCA failed');
          const answer = await client.call(call, {}, 'doctor');
          return !isPage(answer) && wentThrough(answer, target.readings)
            ? ok(`${answer.status}, ${answer.text('transactionStatus') ?? 'SCA is asked for'}`)
            : refusal(answer, remedyFor(answer) ?? remedy);
        },
      }),
    ),
    {
      name: 'Signing basket',
      look: async () => {
        if (!target.profiles.includes('signing-baskets'))
          return skipped('not tried: signing-baskets is no profile that the bank is judged by');
        const [payment] = paymentCalls(target, seed + 1);
        if (payment === undefined) return skipped('needs payments, which are not created in production');
        if (hasNoPsu) return skipped('not tried, because SCA failed');
        return aboutBasket(target, client, payment.call);
      },
    },
    {
      name: 'Whole verdict',
      look: async () => {
        if (psu === undefined) return skipped('not known before SCA was passed');
        const seen = { ...runContext, client, target: { ...target, psu } };
        const company = await learnTheCompanyAccount(seen);
        const known = { ...seen, target: withCompanyAccount(seen.target, company) };
        return aboutGaps(await gapsOfDryRun(known, checks), [...company.remarks, ...aboutCreditors(target)]);
      },
    },
  ];
}

/** Whether a run of the target file could end as conformant, and what it would take. */
function aboutGaps(gaps: readonly Gap[], remarks: readonly string[]): Outcome {
  if (gaps.length === 0)
    return ok(['nothing is lacking, as far as can be told before a run', ...remarks].join('\n'));
  const byRemedy = groupedBy(gaps, ({ check, why }) => check?.reason ?? why);
  const lines = [...byRemedy].map(
    ([remedy, group]) => `- ${remedy} (${group.map(({ requirement }) => requirement.id).join(', ')})`,
  );
  const count = gaps.length === 1 ? '1 must-level requirement' : `${gaps.length} must-level requirements`;
  return warning(
    [`a run would leave at least ${count} open. For a whole verdict:`, ...lines, ...remarks].join('\n'),
    'Add what the bank has. What it does not offer, name under notOffered, with the reason.',
  );
}

/** Whoever names no creditor leaves open whether a refusal is about the account that is made up for it. */
const aboutCreditors = ({ profiles, accounts }: Target): readonly string[] => {
  const { creditor, creditors, namedCreditors } = accounts;
  const isPaid = profiles.includes('domestic-payments');
  return isPaid && creditors === undefined && !namedCreditors.includes(creditor.bban)
    ? [
        'No creditor is named: a payment that the run sees refused may be one to an account that the bank does not pay, and is then not judged. accounts.creditor and accounts.creditorForeign make sure.',
      ]
    : [];
};

async function aboutBasket(target: Target, client: TppClient, payment: Call): Promise<Outcome> {
  const created = await client.call(payment, {}, 'doctor');
  const id = created.text('paymentId');
  if (id === undefined)
    return skipped(`needs a payment, which was answered ${created.status} without a paymentId`);
  const call: Call = { operation: 'createSigningBasket', body: { paymentIds: [id] } };
  const answer = await patiently(
    { client },
    () => client.call(call, {}, 'doctor'),
    (seen) => wentThrough(seen, target.readings),
  );
  return wentThrough(answer, target.readings)
    ? ok(`${answer.status}, ${answer.text('transactionStatus') ?? 'SCA is asked for'}`)
    : failed(
        describeAnswer(answer),
        'Are baskets elsewhere? Give paths.signingBaskets. Does the bank offer none? Name signing-baskets under notOffered.',
      );
}

function aboutCertificate(certificate: Target['identities']['main']['certificate']): Outcome {
  const { subject, authorisationNumber, notBefore, notAfter, roles } = certificate;
  const now = Date.now();
  const named = `${authorisationNumber ?? subject}, ${roles.length === 0 ? 'no PSD2 role' : roles.join(' and ')}, valid until ${isoDate(notAfter)}`;
  if (now > notAfter.getTime() || now < notBefore.getTime()) {
    return failed(
      `${named} from ${isoDate(notBefore)}`,
      'Give one that is valid now as signing.certificate.',
    );
  }
  const lacking = ['PSP_PI', 'PSP_AI'].filter((role) => !(roles as readonly string[]).includes(role));
  if (lacking.length > 0) {
    return warning(
      named,
      `The role ${lacking.join(' and ')} is missing: give a certificate with both for a whole verdict.`,
    );
  }
  const days = Math.floor((notAfter.getTime() - now) / dayMs);
  return days < 14 ? warning(named, `It ends in ${days} days: ask for the next one.`) : ok(named);
}

function aboutClock({ clock }: TppClient): Outcome {
  if (!clock.measured) {
    return warning(
      'the bank sends no Date header',
      'Dates follow this machine’s clock: see that it is right. If the bank goes by the same time, say so by interpretations.clockReference: own-clock; without it the 60 seconds of CLK-01 and CLK-02 stay open.',
    );
  }
  const seconds = Math.round(clock.offsetMs / 1000);
  const said =
    seconds === 0
      ? 'the bank’s agrees with ours'
      : `the bank’s is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`;
  return Math.abs(seconds) <= 5
    ? ok(said)
    : warning(said, 'A run follows the bank’s clock. One of the two should be set right (NTP).');
}

const notTheInterface = ({ status }: Answer): Outcome =>
  failed(
    `${status} with a web page: what answers there is not the interface`,
    'Give the address of the interface as baseUrl, up to, but without, /v1.',
  );

const signatureRemedy =
  'Does the bank trust signing.certificate, and is baseUrl right up to, but without, /v1? Does it want a header of its own (customHeaders)?';
const paymentsTell =
  'It is not offered, as the target file says. The payments below tell whether the signature is right.';
/** Nothing is left that could be read before there is a payment. */
const isPaymentsOnly = ({ profiles }: Target): boolean =>
  !profiles.includes('sandbox') && !profiles.includes('accounts');
const declarationOf = ({ operation }: { readonly operation: string }): string =>
  `Where the bank does not offer it, name ${operation === 'listAccounts' ? 'accounts' : 'sandbox'} under notOffered.`;
/** Whoever lets a form or a script pass SCA needs no word on how else it could be. */
const scaRemedy = ({ psu: { sca } }: Target): string =>
  sca === 'session'
    ? 'Give psu.id and psu.sessionId of a PSU who has passed SCA within the hour, or leave psu.id out and set psu.sca to form.'
    : 'Look at psu.nationalId (does the bank know this customer?). Pages that cannot be walked this way are walked by a script of your own (psu.sca: module), or before the run: then psu.sca is session, with psu.id and psu.sessionId.';
const remedyFor = ({ isAbsent, status }: Answer): string | undefined =>
  isAbsent ? productRemedy : status === 415 ? typeRemedy : undefined;
const ownFault = 'The bank failed by itself: its own log says why.';
const creditorAtHome =
  'accounts.creditor (an account that the bank pays, with the name of its holder where it knows that)';
const creditorAbroad =
  'accounts.creditorForeign (an account abroad that the bank pays in kroner: which currency and country does it want there?)';
const paymentRemedy = (creditor: string): string =>
  `Look at accounts.debtor (does it belong to the PSU?), ${creditor}, psu.ipAddress (one that a PSU may have, where the bank looks) and the PISP role of signing.certificate.`;
const typeRemedy =
  'Does the bank want a charset? Say so: customHeaders: { Content-Type: application/json; charset=UTF-8 }.';
const productRemedy =
  'Does the bank have no such payments? Name their profile under notOffered, with the reason. Are they elsewhere? Give paths.payments.';

const messageOf = (error: unknown): string => {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return message || code || String(error);
};

const nameOf = ({ CN, O }: Certificate): string => [CN ?? O ?? 'an unnamed one'].flat().join(' ');
