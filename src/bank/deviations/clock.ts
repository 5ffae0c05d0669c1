import { defaultProduct } from '../../spec/products.ts';
import type { BankLimits } from '../design.ts';
import type { DesignChange } from '../design-changes.ts';
import { alsoAt, atAll } from './at-one-operation.ts';
import { type Deviation, deviation } from './deviation.ts';
import { refusing } from './rule-changes.ts';

const withLimits =
  (limits: Partial<BankLimits>): DesignChange =>
  (design) => ({ ...design, limits: { ...design.limits, ...limits } });

const behind = (seconds: number) => withLimits({ clockDeviationBehindSeconds: seconds });
const ahead = (seconds: number) => withLimits({ clockDeviationAheadSeconds: seconds });

export const clockDeviations: readonly Deviation[] = [
  ...[75, 90, 300].flatMap((seconds) => [
    deviation(
      `CLK-03/${seconds}-seconds`,
      `takes a Date ${seconds} seconds behind its clock`,
      behind(seconds),
    ),
    deviation(
      `CLK-04/${seconds}-seconds`,
      `takes a Date ${seconds} seconds ahead of its clock`,
      ahead(seconds),
    ),
  ]),
  ...[30, 50].flatMap((seconds) => [
    deviation(
      `CLK-01/${seconds}-seconds`,
      `takes a Date no more than ${seconds} seconds behind its clock`,
      behind(seconds),
    ),
    deviation(
      `CLK-02/${seconds}-seconds`,
      `takes a Date no more than ${seconds} seconds ahead of its clock`,
      ahead(seconds),
    ),
  ]),
  ...alsoAt(atAll, deviation('CLK-02/past-only', 'takes no Date that is ahead of its clock', ahead(1))),
  ...alsoAt(atAll, deviation('CLK-01/future-only', 'takes no Date that is behind its clock', behind(1))),
  deviation(
    'CLK-07/not-understood',
    'understands no obsolete form of a date',
    refusing(
      'CLK-07',
      [defaultProduct.creation],
      (request) => !/^\w{3}, \d{2} /.test(request.header('date') ?? ''),
    ),
  ),
];
