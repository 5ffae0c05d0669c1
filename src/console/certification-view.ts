import { isMandatory, journeys, profilesFor } from '../certification/journeys.ts';
import type { News } from '../certification/judge-session.ts';
import { redactorFor, type Session } from '../certification/session.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { requirementById } from '../spec/catalogue.ts';
import { stepTitles } from './journey-steps.ts';

export interface SeenFailure {
  readonly id: string;
  readonly title: string;
  readonly verdict: string;
  readonly requirements: readonly { readonly id: string; readonly statement: string }[];
  readonly expected?: string;
  readonly actual?: string;
}

/** How a certification ended, once the reports are written. */
export interface CertificationEnd {
  readonly verdict: string;
  readonly profiles: Readonly<Record<string, string>>;
  /** The folder with the reports. */
  readonly folder: string;
  /** Reports that the console hands out. */
  readonly reports: readonly string[];
}

export interface JourneyState {
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly requests: readonly string[];
  readonly steps: readonly string[];
  /** In the profiles that the TPP is certified for. */
  readonly mandatory: boolean;
  readonly mandatoryIn: readonly string[];
  readonly complete: boolean;
}

export interface CertificationState {
  readonly profiles: readonly string[];
  readonly requests: number;
  readonly journeys: readonly JourneyState[];
  readonly failures: readonly SeenFailure[];
  readonly requirementsSeen: number;
  readonly ending: boolean;
  readonly end?: CertificationEnd;
}

const mostFailures = 200;

/** What the console shows of a certification while it goes on. */
export class CertificationView {
  readonly #session: Session;
  readonly #finish: () => void;
  readonly #completed = new Set<string>();
  readonly #failures = new Map<string, CheckResult>();
  readonly #seen = new Set<string>();
  #ending = false;
  #end: CertificationEnd | undefined;

  constructor(session: Session, finish: () => void) {
    this.#session = session;
    this.#finish = finish;
  }

  get session(): Session {
    return this.#session;
  }

  hear({ completed, failed, seen, settled }: News): void {
    for (const { id } of completed) this.#completed.add(id);
    for (const id of seen) this.#seen.add(id);
    for (const id of settled) this.#failures.delete(id);
    for (const result of failed)
      if (this.#failures.size < mostFailures) this.#failures.set(result.id, result);
  }

  /** Asks for the end; the answer to who asked goes first. */
  finish(): void {
    this.#ending = true;
    setImmediate(this.#finish);
  }

  ended(end?: CertificationEnd): void {
    this.#ending = true;
    this.#end = end;
  }

  get state(): CertificationState {
    const profiles = profilesFor(this.#session);
    const redactor = redactorFor(this.#session);
    return {
      profiles,
      requests: this.#session.requests.length,
      journeys: journeys.map((journey) => ({
        id: journey.id,
        title: journey.title,
        goal: journey.goal,
        requests: journey.requests,
        steps: stepTitles(journey.id),
        mandatory: isMandatory(journey, profiles),
        mandatoryIn: journey.mandatoryIn,
        complete: this.#completed.has(journey.id),
      })),
      failures: [...this.#failures.values()].map(
        ({ id, title, verdict, requirements, expected, actual }) => ({
          id,
          title,
          verdict,
          requirements: requirements.flatMap((own) => {
            const requirement = requirementById.get(own);
            return requirement === undefined ? [] : [{ id: own, statement: requirement.statement }];
          }),
          ...(expected === undefined ? {} : { expected: redactor.text(expected) }),
          ...(actual === undefined ? {} : { actual: redactor.text(actual) }),
        }),
      ),
      requirementsSeen: this.#seen.size,
      ending: this.#ending,
      ...(this.#end === undefined ? {} : { end: this.#end }),
    };
  }
}
