import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../checks/verdict.ts';
import { causesOf, numberOfCauses } from './causes.ts';
import { anExchange, aResult, someRequirements } from './synthetic-run.test.data.ts';

const failure = (
  id: string,
  requirement: string,
  expected: string,
  actual: string,
  more: Partial<CheckResult> = {},
): CheckResult => aResult({ id, requirements: [requirement], verdict: 'fail', expected, actual, ...more });

describe('failures', () => {
  const refusal = 'a refusal (4xx) when';
  const told: readonly (readonly [string, number, readonly (readonly [string, string, string])[]])[] = [
    [
      'of one requirement are one cause',
      1,
      [
        ['DIG-01', `${refusal} Digest is missing`, '201'],
        ['DIG-01', `${refusal} Digest is empty`, '400'],
      ],
    ],
    [
      'of a requirement and of one that is a case of it are one cause',
      1,
      [
        ['SIG-02', 'status 400 for the signature of another text', '200'],
        ['SGS-01', 'status 400 when Date changed after signing', '201'],
      ],
    ],
    [
      'with the same wrong answer in place of the same right one are one cause',
      1,
      [
        ['DIG-01', 'status 400 when Digest changed', '422, BAD_REQUEST the signature does not verify'],
        ['AMT-01', 'status 400 when the query changed', '422, BAD_REQUEST the signature does not verify'],
      ],
    ],
    [
      'with the same answer but for ids are one cause',
      1,
      [
        ['DIG-01', 'status 200', '404, no payment 1b9d6f7c-0d43-4b1e-8f5b-2f1f6a7c9e10'],
        ['AMT-01', 'status 200', '404, no payment 0b9d6f7c-0d43-4b1e-8f5b-2f1f6a7c9e10'],
      ],
    ],
    [
      'for the same fault at two operations are one cause',
      1,
      [
        ['DIG-01', `${refusal} Digest is missing`, '201'],
        ['AMT-01', `${refusal} Digest is missing`, '500'],
      ],
    ],
    [
      'for the same wrong value are one cause',
      1,
      [
        ['DIG-01', 'context CORPORATE', '"corporate"'],
        ['AMT-01', 'context with PRIVATE or CORPORATE', '"corporate"'],
      ],
    ],
    [
      'that joins two others makes them one cause',
      1,
      [
        ['DIG-01', 'status 400', '422, one text'],
        ['AMT-01', 'status 400', '422, another text'],
        ['AMT-01', 'status 400', '422, one text'],
      ],
    ],
    [
      'that were accepted, and nothing more, are two causes',
      2,
      [
        ['DIG-01', `${refusal} Digest is missing`, '201'],
        ['AMT-01', `${refusal} the amount is negative`, '201'],
      ],
    ],
    [
      'with the same status and no word are two causes where they are of unlike areas',
      2,
      [
        ['DIG-01', 'the request to be accepted (2xx)', '400'],
        ['AMT-01', 'the request to be accepted (2xx)', '400'],
      ],
    ],
    [
      'without anything to tell are causes by themselves',
      2,
      [
        ['DIG-01', '', ''],
        ['AMT-01', '', ''],
      ],
    ],
  ];

  test.each(told)('%s', (_, causes, facts) => {
    const failures = facts.map(([requirement, expected, actual], index) =>
      failure(`F-${index}`, requirement, expected, actual),
    );
    expect(numberOfCauses(failures)).toBe(causes);
    expect(numberOfCauses(failures.toReversed())).toBe(causes);
  });
});

describe('a cause', () => {
  const control = anExchange({ purpose: 'control' });
  const smallest = (currency: string): Partial<CheckResult> => ({
    counterexample: { value: `{"currency": "${currency}"}`, path: '0', changed: ['instructedAmount.amount'] },
    exchanges: [control, anExchange()],
  });

  test('has the sentence, requirements and remedies of what most of its failures break', () => {
    const remedies = [{ cause: 'Digits are not counted.', remedy: 'Count them.' }];
    const known = someRequirements.map((one) => (one.id === 'AMT-01' ? { ...one, remedies } : one));
    const [cause, ...others] = causesOf(
      ['DIG-01', 'AMT-01', 'AMT-01'].map((requirement, index) =>
        failure(`F-${index}`, requirement, 'status 400 when it is odd', '422'),
      ),
      known,
    );
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      id: 'AMT-01',
      sentence:
        'Answered 422, not 400. Rule: An amount with more fraction digits than its currency has is refused.',
      requirements: [{ id: 'AMT-01' }, { id: 'DIG-01' }],
      checks: [{ id: 'F-0' }, { id: 'F-1' }, { id: 'F-2' }],
      remedies,
    });
  });

  test('is shown by the failure with one changed place, a control and NOK', () => {
    const [cause] = causesOf(
      [
        failure('bare', 'AMT-01', 'any 4xx', '201'),
        failure('in-yen', 'AMT-01', 'any 4xx', '201', smallest('JPY')),
        failure('in-kroner', 'AMT-01', 'any 4xx', '201', smallest('NOK')),
      ],
      someRequirements,
    );
    expect(cause?.leading.id).toBe('in-kroner');
  });

  test('of most checks comes first', () => {
    const failures = ['DIG-01', 'AMT-01', 'AMT-01'].map((requirement, index) =>
      failure(`F-${index}`, requirement, 'any 4xx', '201'),
    );
    expect(causesOf(failures, someRequirements).map(({ id }) => id)).toEqual(['AMT-01', 'DIG-01']);
  });
});
