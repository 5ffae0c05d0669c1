import { randomBytes, X509Certificate } from 'node:crypto';
import type { Bank, ListenOptions } from '../bank/bank.ts';
import type { AnsweredRequest } from '../bank/http/dispatch.ts';
import { controlPaths, createCertificationBank } from '../certification/certification-bank.ts';
import type { Journey } from '../certification/journeys.ts';
import {
  Admission,
  footerOf,
  headerOf,
  judgeSession,
  type News,
  Progress,
} from '../certification/judge-session.ts';
import { openRecorder, type Recorder, writeRedactedRecording } from '../certification/recorder.ts';
import type {
  EndReason,
  FailedConnection,
  ReachedBound,
  RecordedExchange,
  RecordingStart,
} from '../certification/recording.ts';
import type { SeenExchange } from '../certification/seen-exchange.ts';
import { redactorFor, Session } from '../certification/session.ts';
import type { TppCheck } from '../certification/tpp-check.ts';
import type { LoadedSuite } from '../checks/check.ts';
import { openJournal } from '../report/journal.ts';
import type { CertificateAuthority } from '../signing/certificate-authority.ts';
import type { ProfileId } from '../spec/profiles.ts';
import { tool } from './package.ts';

export interface CertificationOptions {
  /** The folder of the run. */
  readonly out: string;
  readonly suites: readonly LoadedSuite<TppCheck>[];
  /** Issues the bank's certificates. */
  readonly ca: CertificateAuthority;
  /** PEM certificates of the authorities that the TPP's certificate may come from. */
  readonly trustedAuthorities: readonly string[];
  readonly listen: Pick<ListenOptions, 'host' | 'port'>;
  readonly prefix: string;
  readonly publicUrl?: string;
  readonly hostnames: readonly string[];
  /** It ends by itself when these are complete. */
  readonly until: readonly Journey[];
  /** What the TPP is certified for; what it uses when absent. */
  readonly profiles?: readonly ProfileId[];
  readonly timeoutMs?: number;
  readonly listener: CertificationListener;
  /** Is told every request with its answer, kept or not. */
  readonly onAnswer?: (answered: AnsweredRequest, number: number) => void;
}

export interface CertificationListener {
  readonly exchange: (exchange: SeenExchange) => void;
  readonly failedConnection: (connection: FailedConnection) => void;
  readonly news: (news: News) => void;
  /** Something came so often that it is no longer kept. */
  readonly bound: (bound: ReachedBound) => void;
}

export interface Certification {
  readonly bank: Bank;
  readonly baseUrl: string;
  /** Whoever posts here ends it: only who has seen the address can. */
  readonly finishUrl: string;
  /** The certificate that the bank signs its responses with. */
  readonly signerPem: string;
  readonly session: Session;
  readonly progress: Progress;
  /** Resolves when it has come to its end, whichever; rejects when it cannot be recorded any further. */
  readonly ended: Promise<EndReason>;
  end(reason: EndReason): void;
  close(): Promise<void>;
}

/** How long a provoked TPP is asked to wait. */
const retryAfterSeconds = 2;

/**
 * Milliseconds: for what a TPP still does after its last journey, which may be a payment that it was asked to repeat after
 * a pause; and between two looks at what was seen.
 */
const pauses = { last: (retryAfterSeconds + 2) * 1000, look: 100 } as const;

/** More of them say no more about the TPP. */
const mostFailedConnections = 1000;

/** Opens the bank for a TPP. Everything that it answers is in the recording already. */
export async function startCertification(options: CertificationOptions): Promise<Certification> {
  const { ca, trustedAuthorities, listen, prefix, publicUrl, hostnames, timeoutMs } = options;
  const [server, signer] = await Promise.all([
    ca.issueServer(hostnames),
    ca.issueTpp({ commonName: 'Reference Bank', organisation: 'Reference Bank', roles: [] }),
  ]);
  const finishToken = randomBytes(18).toString('base64url');
  const end = createEnd();
  const bank = await createCertificationBank({
    trustedAuthorities,
    signer,
    prefix,
    retryAfterSeconds,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    record: (exchange, source) => kept.exchange(exchange, source),
    onFailedConnection: (connection) => kept.failedConnection(connection),
    ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
    progress: () => kept.progress.state,
    finishToken,
    onFinish: () => end.by('finish'),
  });
  const tls = { cert: server.certificatePem, key: server.privateKeyPem };
  const { baseUrl } = await bank.listen({ ...listen, tls });
  const start: RecordingStart = {
    tool,
    startedAt: new Date().toISOString(),
    baseUrl: publicUrl ?? baseUrl,
    trustedAuthorities,
    ...(options.profiles === undefined ? {} : { profiles: options.profiles }),
    fingerprints: {
      'TLS of the bank': new X509Certificate(server.certificatePem).fingerprint256,
      'signature of the bank': signer.certificate.fingerprint256,
    },
  };
  const kept = await Promise.resolve()
    .then(() => new KeptCertification(start, end, options))
    .catch(async (error: unknown) => {
      await bank.close();
      throw error;
    });
  const timeout = timeoutMs === undefined ? undefined : setTimeout(() => end.by('timeout'), timeoutMs);
  return {
    bank,
    baseUrl: start.baseUrl,
    finishUrl: `${start.baseUrl}${controlPaths.finish}?token=${finishToken}`,
    signerPem: signer.certificate.x509.toString(),
    session: kept.session,
    progress: kept.progress,
    ended: end.ended,
    end: end.by,
    async close() {
      clearTimeout(timeout);
      await kept.close(() => bank.close());
    },
  };
}

/** What is seen of a TPP: recorded first, and then told. */
class KeptCertification {
  readonly session: Session;
  readonly progress: Progress;
  readonly #end: End;
  readonly #recorder: Recorder;
  readonly #admission: Admission;
  readonly #listener: CertificationListener;
  readonly #watch: ReturnType<typeof watchOver>;

  constructor(start: RecordingStart, end: End, { out, suites, until, listener }: CertificationOptions) {
    this.#end = end;
    this.#recorder = openRecorder(out, start);
    this.#listener = listener;
    this.session = new Session(start);
    this.progress = new Progress(this.session, suites);
    this.#admission = new Admission((bound) => {
      end.keep(() => this.#recorder.bound(bound));
      this.session.bounds.push(bound);
      listener.bound(bound);
    });
    this.#watch = watchOver(this.progress, until, end, (news) => listener.news(news));
  }

  exchange(exchange: RecordedExchange, source: string): void {
    const seen = this.session.read(exchange);
    if (!this.#admission.admits(exchange, source, () => this.session.isSigned(seen))) return;
    this.#end.keep(() => this.#recorder.exchange(exchange));
    this.#listener.exchange(this.session.add(exchange, seen));
    this.#watch.look();
  }

  failedConnection(connection: FailedConnection): void {
    if (this.session.failedConnections.length >= mostFailedConnections) return;
    this.#end.keep(() => this.#recorder.failedConnection(connection));
    this.session.addFailedConnection(connection);
    this.#listener.failedConnection(connection);
  }

  /** Whatever comes until the bank is closed is still recorded. */
  async close(closeBank: () => Promise<void>): Promise<void> {
    this.#watch.stop();
    await closeBank();
    const reason = await Promise.race([this.#end.ended.catch(() => 'signal' as const), 'signal' as const]);
    this.session.end = { at: new Date().toISOString(), reason, answered: this.session.lastNumber };
    this.#recorder.end(this.session.end);
    this.#recorder.close();
  }
}

/** How a certification comes to its end: by a reason, or by an error. */
function createEnd() {
  let by: (reason: EndReason) => void = () => {};
  let breakOff: (error: unknown) => void = () => {};
  const ended = new Promise<EndReason>((resolve, reject) => {
    by = resolve;
    breakOff = reject;
  });
  // Whoever waits for the end hears of it; nobody may wait yet.
  ended.catch(() => {});
  /** A TPP whose requests cannot be kept cannot be judged: it gets no answer, and the certification ends. */
  const keep = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      breakOff(error);
      throw error;
    }
  };
  return { ended, by, breakOff, keep };
}

type End = ReturnType<typeof createEnd>;

/** Tells what is new a moment after it was seen, and ends when the journeys that are waited for are complete. */
function watchOver(
  progress: Progress,
  until: readonly Journey[],
  { by, breakOff }: End,
  tell: CertificationListener['news'],
) {
  let looking: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const tellNews = async (): Promise<void> => {
    tell(await progress.look());
    if (ending === undefined && until.every((journey) => progress.isComplete(journey))) {
      ending = setTimeout(() => by('complete'), pauses.last);
    }
  };
  return {
    look(): void {
      // While the TPP is still at it, it may go on to something that is to be judged as well.
      if (ending !== undefined) ending.refresh();
      looking ??= setTimeout(() => {
        looking = undefined;
        tellNews().catch(breakOff);
      }, pauses.look);
    },
    stop(): void {
      for (const timer of [looking, ending]) clearTimeout(timer);
    },
  };
}

/** Judges what was recorded and writes the journal that all reports are made of. */
export async function journalCertification(
  out: string,
  session: Session,
  suites: readonly LoadedSuite<TppCheck>[],
  reproduce: string,
): Promise<void> {
  // One for both: what it has made ready to be shown it need not look at again.
  const redactor = redactorFor(session);
  const results = await judgeSession(session, suites, reproduce, redactor);
  const journal = openJournal(out, redactor);
  journal.header(headerOf(session, suites));
  for (const result of results) journal.result(result);
  journal.footer(footerOf(session, results));
  journal.close();
  writeRedactedRecording(out, session);
}
