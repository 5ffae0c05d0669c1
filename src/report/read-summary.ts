import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verdicts } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { Redactor } from '../tpp/redaction.ts';
import { JournalError, journalFile, readJournal } from './journal.ts';
import { judgeRun } from './outcome.ts';
import { type Summary, summarize } from './summary.ts';

/** No summary of a run is larger. */
const mostBytes = 256 * 1024 * 1024;

/** The summary of a run: of a file, or of a run folder, made of its journal where the folder has none yet. */
export function readSummary(place: string, requirements: readonly Requirement[]): Summary {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) throw unusable(place, 'there is nothing of that name');
  if (found.isFile()) return parsed(place);
  const file = join(place, 'summary.json');
  if (existsSync(file)) return parsed(file);
  if (!existsSync(join(place, journalFile))) throw unusable(place, 'it holds no run');
  const run = readJournal(place);
  return summarize(run, judgeRun(run, requirements));
}

function parsed(file: string): Summary {
  const found = statSync(file);
  if (!found.isFile() || found.size > mostBytes) throw unusable(file, 'it is no summary of a run');
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    // It may come from anybody, and be shown to anybody.
    if (isSummary(value)) return new Redactor().value(value);
  } catch (cause) {
    throw unusable(file, 'it is not JSON', { cause });
  }
  throw unusable(file, 'it is no summary of a run');
}

const unusable = (place: string, why: string, options?: ErrorOptions): JournalError =>
  new JournalError(
    place,
    `${place} cannot be read: ${why}. Give a run folder, or its summary.json.`,
    options,
  );

/** What a comparison relies on. */
function isSummary(value: unknown): value is Summary {
  if (!isObject(value) || !isObject(value.target) || !isObject(value.tool)) return false;
  const { target, checks, requirements } = value;
  return (
    [target.name, target.baseUrl, value.verdict, value.startedAt, value.catalogue].every(isText) &&
    isListOf(
      checks,
      ({ id, verdict, requirements: cited }) => isText(id) && isVerdict(verdict) && Array.isArray(cited),
    ) &&
    isListOf(
      requirements,
      ({ id, statement, verdict }) => isText(id) && isText(statement) && isVerdict(verdict),
    )
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isVerdict = (value: unknown): boolean =>
  value === 'not-tested' || (verdicts as readonly unknown[]).includes(value);

const isListOf = (value: unknown, isItem: (item: Readonly<Record<string, unknown>>) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => isObject(item) && isItem(item));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
