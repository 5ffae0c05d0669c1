import { requirementById } from '../spec/catalogue.ts';
import { operations } from '../spec/operations.ts';
import { profileIds, profileOf } from '../spec/profiles.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import type { LoadContext } from './key-path.ts';
import { nearest } from './nearest.ts';

/** What the bank is to be judged by, and what of it is not there. */
export const profilesSchema: JsonSchema = {
  description: [
    'Profiles that the bank is judged by, each with a verdict of its own; core is always one of them. Without it, all that bind the environment',
    ...profileIds.map((id) => `${id}: ${profileOf(id).about}`),
  ].join('\n'),
  type: 'array',
  items: { description: 'id of a profile', type: 'string', enum: profileIds },
  examples: [['domestic-payments', 'sca-redirect', 'accounts']],
};

export const notOfferedSchema: JsonSchema = {
  description:
    'What the bank does not offer and need not. It is taken out of its profile and stands in every report; a check that finds it broken fails all the same',
  type: 'array',
  items: section(
    'One requirement, profile or operation that is not there',
    {
      what: value.text('id of a requirement, profile or operation', { examples: ['deletePayment'] }),
      reason: value.text('why it is not offered', {
        examples: ['payments are cancelled in the online bank'],
      }),
    },
    { required: ['what', 'reason'] },
  ),
  examples: [[{ what: 'deletePayment', reason: 'payments are cancelled in the online bank' }]],
};

export interface NotOfferedEntry {
  readonly what?: string;
  readonly reason?: string;
}

export interface NotOffered {
  readonly what: string;
  readonly reason: string;
}

export function loadNotOffered(
  { complain }: LoadContext,
  given: readonly (NotOfferedEntry | undefined)[] = [],
): readonly NotOffered[] {
  const known = [...requirementById.keys(), ...profileIds, ...Object.keys(operations)];
  return given.flatMap((entry, index) => {
    const { what, reason } = entry ?? {};
    if (what === undefined || reason === undefined) return [];
    const at = (key: string): readonly (string | number)[] => ['notOffered', index, key];
    if (what === 'core') {
      complain(at('what'), 'The profile core is part of every other one, and cannot be left out.');
      return [];
    }
    if (!known.includes(what)) {
      const meant = nearest(what, known);
      complain(
        at('what'),
        `No requirement, profile or operation is called ${what}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      );
      return [];
    }
    if (reason.trim() === '') {
      complain(at('reason'), 'This is empty. Say why it is not offered; every report tells it.');
      return [];
    }
    return [{ what, reason }];
  });
}
