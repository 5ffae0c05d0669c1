import type { Twist } from '../../src/checks/trial.ts';
import { signingString } from '../../src/signing/signing-string.ts';
import { psuContexts } from '../../src/spec/code-lists.ts';

/** Of each way to join or write lines that nobody prescribes, payments and a request that reads will do. */
const signedAs = (label: string, write: (text: string) => string): Twist => ({
  label,
  request: { signing: { text: (...lines) => write(signingString(...lines)) } },
  isOneOfMany: true,
});

export const otherJoints: readonly Twist[] = [
  signedAs('the lines are joined by a backslash and the letter n', (text) => text.replaceAll('\n', '\\n')),
  signedAs('the lines are joined by spaces', (text) => text.replaceAll('\n', ' ')),
  signedAs('the lines are joined by commas', (text) => text.replaceAll('\n', ',')),
  signedAs('the lines are joined by carriage returns', (text) => text.replaceAll('\n', '\r')),
  signedAs('an empty line stands before the others', (text) => `\n${text}`),
];

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

export const otherLines: readonly Twist[] = [
  signedAs('the names are written as headers usually are', (text) =>
    text.replace(/^[a-z-]+(?=: )/gm, titleCase),
  ),
  signedAs('a space stands before each colon', (text) => text.replace(/^([a-z-]+): /gm, '$1 : ')),
  signedAs('an equals sign stands for each colon', (text) => text.replace(/^([a-z-]+): /gm, '$1=')),
];

/**
 * What a bank may take for the value of a header that is not there, so that a signature over it would verify. One that
 * has no line is left out: "only those present in the request are included" lets a bank verify that.
 */
export const stands = [
  ['has a line without a value', ''],
  ['has the value null', 'null'],
  ['has the value undefined', 'undefined'],
] as const;

/** A request of a company has every header that is signed, so that another name has to do. */
const absentHeaders = { PRIVATE: 'psu-corporate-id', CORPORATE: 'x-conformance-check' } as const;

export const listedAndAbsent: readonly Twist[] = psuContexts.flatMap((psuContext) =>
  stands.map(([how, stand]): Twist => {
    const absent = absentHeaders[psuContext];
    return {
      label: `${absent} is listed, absent and ${how} in the signing string`,
      under: (_, { psu }) => psu.context === psuContext,
      request: {
        signing: {
          covered: (present) => [...present, absent],
          text: (names, valueFor) => signingString(names, (name) => valueFor(name) ?? stand),
        },
      },
    };
  }),
);
