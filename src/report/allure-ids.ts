import { createHash } from 'node:crypto';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';

/**
 * The id of a result in this run. It follows from the run, so that building a report again changes nothing; the
 * start keeps apart a check that was judged twice.
 */
export function allureUuid({ target, startedAt }: RunHeader, result: CheckResult): string {
  return hash(`${target.name} ${startedAt} ${result.id} ${result.startedAt}`);
}

/** Where Allure's page shows a result: it addresses results by the hash of their id. */
export function allureAnchor(header: RunHeader, result: CheckResult): string {
  return `#${hash(allureUuid(header, result))}`;
}

/** The id of a run among the earlier runs of its target. */
export function runUuid({ target, startedAt }: RunHeader): string {
  return hash(`${target.name} ${target.baseUrl} ${startedAt}`);
}

// MD5 because Allure uses it for its own ids; nothing here is secret.
function hash(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
