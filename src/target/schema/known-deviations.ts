import { type JsonSchema, section } from './json-schema.ts';
import { value } from './values.ts';

export const knownDeviationsSchema: JsonSchema = {
  description:
    'Failures that are known and agreed upon. They keep the run green and stay visible; one without a reason, past its date, or that no longer happens, fails the run',
  type: 'array',
  items: section(
    'One requirement that the bank does not meet yet',
    {
      requirement: value.text('id of the requirement; the command list shows them all', {
        examples: ['AMT-02'],
      }),
      reason: { description: 'why, with the ticket; the run fails without one', type: 'string' },
      until: {
        description: 'last day on which it is tolerated, as year-month-day',
        type: 'string',
        format: 'date',
        examples: ['2027-01-31'],
      },
    },
    { required: ['requirement'] },
  ),
  examples: [[{ requirement: 'AMT-02', reason: 'ticket 4711', until: '2027-01-31' }]],
};
