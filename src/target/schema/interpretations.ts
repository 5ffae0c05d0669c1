import { interpretationList } from '../../spec/interpretations.ts';
import { section } from './json-schema.ts';

/** One key per interpretation, with its values, so that an editor offers them with their meaning. */
export const interpretationsSchema = section(
  'The reading to take where the specification is silent or disagrees with itself; the report states which were used',
  Object.fromEntries(
    interpretationList.map(({ id, question, values, default: byDefault }) => [
      id,
      {
        description: [
          question,
          ...Object.entries(values).map(([choice, meaning]) => `${choice}: ${meaning}.`),
        ].join('\n'),
        type: 'string',
        enum: Object.keys(values),
        default: byDefault,
      },
    ]),
  ),
  { examples: [{ amountFractionDigits: 'exact' }] },
);
