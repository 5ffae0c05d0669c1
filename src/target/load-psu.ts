import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isNationalId } from '../spec/check-digits.ts';
import { unreadable } from './key-pairs.ts';
import type { KeyPath, LoadContext } from './key-path.ts';
import { type ExpiredPsu, isPersonalNumber, nationalIdProblem, type PsuParts } from './psu.ts';
import type { PsuSection } from './psu-schema.ts';

export async function loadPsu(context: LoadContext, given: PsuSection = {}): Promise<PsuParts> {
  const { module: script, scaHosts, expired: ended, ...rest } = given;
  const named = { ...rest, ...expiredOf(ended) };
  // An item that was wrong has left a hole.
  const psu =
    scaHosts === undefined ? named : { ...named, scaHosts: scaHosts.filter((host) => host !== undefined) };
  for (const [path, number] of [
    [['psu', 'nationalId'], psu.nationalId],
    [['psu', 'corporate', 'nationalId'], psu.corporate?.nationalId],
    [['psu', 'expired', 'nationalId'], psu.expired?.nationalId],
    [['psu', 'other', 'nationalId'], psu.other?.nationalId],
  ] as const) {
    if (number === undefined || nationalIdProblem(number) !== undefined || isNationalId(number)) continue;
    context.warn(
      path,
      isPersonalNumber(number)
        ? 'The check digits of this number are wrong: a bank may refuse it for that.'
        : 'This is no national identity number, which has eleven digits. Let it stand where the sandbox knows the customer by it.',
    );
  }
  demandOneContext(context, psu);
  refuseToBeTheOther(context, psu);
  if (psu.redirectUri !== undefined && !URL.canParse(psu.redirectUri)) {
    context.complain(['psu', 'redirectUri'], 'This is no address: look at its host and port.');
  }
  if (script === undefined) return psu;
  const path: KeyPath = ['psu', 'module'];
  const file = resolve(context.directoryOf(path), script);
  try {
    if (!(await stat(file)).isFile()) context.complain(path, `${script} is not a file. Looked for ${file}.`);
  } catch (error) {
    context.complain(path, `${unreadable(script, error)} Looked for ${file}.`);
  }
  if (psu.sca === 'module') context.announce(path, `this script passes SCA, and is loaded for it: ${file}`);
  return { ...psu, module: file };
}

/** What is said of a company goes with a PSU who acts for one, and psu.corporate with one who does not. */
function demandOneContext({ complain }: LoadContext, psu: PsuSection): void {
  if (psu.context === 'CORPORATE') {
    if (psu.corporate !== undefined)
      complain(
        ['psu', 'corporate'],
        'With psu.context CORPORATE psu itself acts for a company: leave this out. Where the bank has private customers, give one of them as psu, and leave psu.context out.',
      );
    for (const [name, named] of [
      ['other', psu.other],
      ['expired', psu.expired],
    ] as const) {
      if (named?.id !== undefined && named.corporateId === undefined)
        complain(
          ['psu', name, 'corporateId'],
          `This is missing. With psu.context CORPORATE psu.${name} acts for a company, too.`,
        );
    }
    return;
  }
  for (const [path, given] of [
    [['psu', 'corporateId'], psu.corporateId],
    [['psu', 'expired', 'corporateId'], psu.expired?.corporateId],
  ] as const) {
    if (given !== undefined)
      complain(
        path,
        'This is of a PSU who acts for a company: set psu.context to CORPORATE, or leave it out.',
      );
  }
  for (const [path, given] of [
    [['psu', 'nationalId'], psu.nationalId],
    [['psu', 'expired', 'nationalId'], psu.expired?.nationalId],
    [['psu', 'other', 'nationalId'], psu.other?.nationalId],
  ] as const) {
    const problem = given === undefined ? undefined : nationalIdProblem(given);
    if (problem !== undefined) complain(path, problem);
  }
}

/** Nobody is kept from what is their own, so that a bank would be blamed for letting them. */
function refuseToBeTheOther({ complain }: LoadContext, { other, ...psu }: PsuSection): void {
  const isSame = (one: string | undefined, another: string | undefined): boolean =>
    one !== undefined && one.toLowerCase() === another?.toLowerCase();
  for (const [name, named] of [
    ['psu', psu],
    ['psu.corporate', psu.corporate],
    ['psu.expired', psu.expired],
  ] as const) {
    for (const key of ['nationalId', 'id', 'sessionId'] as const) {
      if (isSame(other?.[key], named?.[key]))
        complain(['psu', 'other', key], `This is that of ${name}. Give another customer.`);
    }
  }
  for (const [name, corporateId] of [
    ['psu', psu.corporateId],
    ['psu.corporate', psu.corporate?.corporateId],
  ] as const) {
    if (isSame(other?.corporateId, corporateId))
      complain(['psu', 'other', 'corporateId'], `This is that of ${name}. Give an agreement of others.`);
  }
}

/** What lacks a part was complained about. */
function expiredOf({ id, sessionId, ...rest }: Partial<ExpiredPsu> = {}): Pick<PsuParts, 'expired'> {
  return id === undefined || sessionId === undefined ? {} : { expired: { ...rest, id, sessionId } };
}
