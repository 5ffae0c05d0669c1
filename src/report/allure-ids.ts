import { createHash } from 'node:crypto';
import type { RunHeader } from '../checks/verdict.ts';

/** The id of the check's result in this run. It follows from the run, so that building a report again changes nothing. */
export function allureUuid(header: RunHeader, checkId: string): string {
  return hash(`${header.target.name} ${header.startedAt} ${checkId}`);
}

/** Where Allure's page shows a result: it addresses results by the hash of their id. */
export function allureAnchor(header: RunHeader, checkId: string): string {
  return `#${hash(allureUuid(header, checkId))}`;
}

/** The id of a run among the earlier runs of its target. */
export function runUuid({ target, startedAt }: RunHeader): string {
  return hash(`${target.name} ${target.baseUrl} ${startedAt}`);
}

// MD5 because Allure uses it for its own ids; nothing here is secret.
function hash(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
