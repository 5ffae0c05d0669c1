import { CheckContext, type RunContext } from '../checks/context.ts';
import { Observations } from '../checks/observations.ts';
import {
  type Appearance,
  appearanceOf,
  foreignCreditorOf,
  norwegianCreditor,
} from '../payloads/appearance.ts';
import { ibanOf } from '../spec/check-digits.ts';
import { acceptFixes } from '../spec/code-lists.ts';
import { operationPaths } from '../target/paths.ts';
import { proxyTo } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';
import { type Addressing, type Psu, usualAppearance } from '../tpp/call.ts';
import { type ClientOptions, TppClient } from '../tpp/client.ts';
import { type Budget, Pace } from '../tpp/pace.ts';
import { Redactor } from '../tpp/redaction.ts';
import { type Connection, createWalker } from '../tpp/sca/create-walker.ts';
import { pageHttp } from '../tpp/sca/page-http.ts';
import type { ScaReturn } from '../tpp/sca/sca-return.ts';
import type { ScaWalker } from '../tpp/sca/sca-walker.ts';
import { takingTurns } from '../tpp/sca/taking-turns.ts';
import type { Transport } from '../tpp/transport.ts';
import { type UndiciTransportOptions, undiciTransport } from '../tpp/undici-transport.ts';

export interface RunContextOptions {
  readonly target: Target;
  readonly seed: number;
  readonly runs: number;
  readonly shard?: NonNullable<RunContext['shard']>;
  readonly repeatsPayments?: boolean;
  readonly command?: string;
  /** By default keep-alive connections to the target. */
  readonly transport?: Transport;
  readonly patienceMs?: number;
  readonly mostTwists?: number;
  readonly oneContextEach?: boolean;
  readonly answersLastMs?: number;
  readonly shrinkingBudget?: number;
  readonly keepsEvidence?: boolean;
  /** No request is started after so many milliseconds. */
  readonly maxTimeMs?: number;
  /** No request is sent beyond it. */
  readonly budget?: Budget;
  /** Is told of a bank that falls silent, and of its return. */
  readonly onOutage?: (text: string) => void;
  /** Hides what the target file says is secret, unless given. */
  readonly redactor?: Redactor;
}

/** The customer of the target file. */
export function psuOf({ psu }: Pick<Target, 'psu'>): Psu {
  const { ipAddress = usualAppearance.ipAddress, redirectUri = usualAppearance.redirectUri } = psu;
  return {
    sessionId: psu.sessionId,
    ipAddress,
    redirectUri,
    ...(psu.id === undefined ? {} : { id: psu.id }),
    ...(psu.corporateId === undefined ? {} : { corporateId: psu.corporateId }),
  };
}

/** The target with what its file leaves to us, as other TPPs would send it: the same with the same seed. */
function withAppearance(target: Target, seed: number, { userAgent, ipAddress, redirectUri }: Appearance) {
  const { accounts } = target;
  const { creditor, creditorForeign, namedCreditors } = accounts;
  const bban = norwegianCreditor(seed, accounts.debtor.bban);
  const isNamed = (number = ''): boolean => namedCreditors.includes(number);
  return {
    userAgent,
    ...target,
    psu: { ipAddress, redirectUri, ...target.psu },
    accounts: {
      ...accounts,
      creditor: isNamed(creditor.bban) ? creditor : { bban, iban: ibanOf(bban), currency: 'NOK' },
      ...(creditorForeign === undefined || isNamed(creditorForeign.iban ?? creditorForeign.bban)
        ? {}
        : { creditorForeign: { ...foreignCreditorOf(seed), currency: 'EUR' } }),
    },
  };
}

export function addressingOf({ baseUrl, paths, customHeaders, readings, userAgent }: Target): Addressing {
  const { host, pathname } = new URL(baseUrl);
  return {
    prefix: pathname.replace(/\/+$/, ''),
    paths: operationPaths(paths),
    customHeaders:
      readings.acceptFix === 'everywhere'
        ? { 'x-accept-fix': acceptFixes[0].value, ...customHeaders }
        : customHeaders,
    host,
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

export function transportTo(target: Target, origin: string = new URL(target.baseUrl).origin): Transport {
  const { concurrency, timeoutMs } = target.pace;
  return undiciTransport({
    origin,
    connections: concurrency,
    connectTimeoutMs: timeoutMs,
    ...(target.environment === 'sandbox' ? {} : { idleMs: shortlyMs }),
    ...connectionTo(target, origin),
  });
}

/** Where a lost request is not sent again, less than any bank keeps an idle connection. */
const shortlyMs = 500;

/** By which proxy and how secured an address is reached. */
const connectionTo = (target: Target, origin: string): Connection => ({
  proxy: proxyTo(target.proxy, origin),
  tls: tlsOf(target, origin),
});

/** The client certificate tells who the TPP is: it is for the host of the interface alone. */
export function tlsOf({ tls, baseUrl }: Target, origin: string): NonNullable<UndiciTransportOptions['tls']> {
  const client = new URL(origin).hostname === new URL(baseUrl).hostname ? tls.client : undefined;
  return {
    rejectUnauthorized: !tls.insecure,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
    ...(client?.passphrase === undefined ? {} : { passphrase: client.passphrase }),
  };
}

/** Whoever the bank sends back is as secret as the PSU of the target file, also where it is somebody else. */
function learning(redactor: Redactor, { ripening }: TppClient, walker: ScaWalker): ScaWalker {
  const learned = <Back extends ScaReturn | undefined>(back: Back): Back => {
    if (back?.psuId !== undefined) redactor.know('psu-id', back.psuId);
    if (back?.psuCorporateId !== undefined) redactor.know('psu-corporate-id', back.psuCorporateId);
    if (back?.sessionId !== undefined) redactor.know('session', back.sessionId);
    return back;
  };
  return {
    ...walker,
    pass: async (...asked) => {
      const back = learned(await walker.pass(...asked));
      ripening.begun(back);
      return back;
    },
    abort: async (...asked) => learned(await walker.abort(...asked)),
  };
}

/** A TPP that talks to the target, and all that its checks share. */
export function createRunContext({
  target: given,
  transport = transportTo(given),
  ...options
}: RunContextOptions): RunContext {
  const { maxTimeMs, budget, patienceMs, onOutage } = options;
  // What is left of a budget is for the checks that have not been asked yet: a failure is made sure of, not made small.
  const { shrinkingBudget = budget && 1 } = options;
  const appearance = appearanceOf(options.seed);
  const target = withAppearance(given, options.seed, appearance);
  const pace = new Pace({
    ...target.pace,
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
    ...(budget === undefined ? {} : { budget }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const { origin } = new URL(target.baseUrl);
  const { timeoutMs } = target.pace;
  const pages = pageHttp({
    origin,
    hosts: target.psu.scaHosts,
    browser: appearance.browser,
    transport,
    transportTo: (host) => transportTo(target, host),
    pace,
    timeoutMs,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const redactor = options.redactor ?? new Redactor(target);
  const clientOptions: ClientOptions = {
    transport,
    pace,
    identity: target.identities.main,
    psu: psuOf(target),
    addressing: addressingOf(target),
    origin,
    timeoutMs,
    retries: target.pace.retries,
    // A payment that died on the way may have been made: in a sandbox it is sent again, elsewhere never.
    repeatsWrites: target.environment === 'sandbox',
    ...(patienceMs === undefined ? { outageMs: target.pace.outageSeconds * 1000 } : { patienceMs }),
    ...(onOutage === undefined ? {} : { onOutage: (text) => onOutage(redactor.text(text)) }),
  };
  const client = new TppClient(clientOptions, (exchange) => redactor.learn(exchange));
  return {
    target,
    client,
    pages,
    walker: learning(
      redactor,
      client,
      takingTurns(
        createWalker(
          target,
          pages,
          (host) => connectionTo(target, host),
          () => pace.spend(),
        ),
      ),
    ),
    seed: options.seed,
    runs: options.runs,
    ...(options.shard === undefined ? {} : { shard: options.shard }),
    ...(options.mostTwists === undefined ? {} : { mostTwists: options.mostTwists }),
    ...(options.oneContextEach === undefined ? {} : { oneContextEach: options.oneContextEach }),
    ...(options.answersLastMs === undefined ? {} : { answersLastMs: options.answersLastMs }),
    ...(shrinkingBudget === undefined ? {} : { shrinkingBudget }),
    ...(options.keepsEvidence === undefined ? {} : { keepsEvidence: options.keepsEvidence }),
    observations: new Observations(),
    repeatsPayments: options.repeatsPayments ?? false,
    command: options.command ?? 'xs2a-conformance run',
    redactor,
    contextFor(id, place) {
      return new CheckContext(this, id, place);
    },
    async close() {
      await Promise.all([pages.close(), transport.close()]);
    },
  };
}
