import { parseHttpDate } from '../../spec/http-date.ts';
import type { BankDesign } from '../design/design.ts';
import type { BankRequest, BankState, Rule } from '../design/route.ts';
import { rule } from '../design/rule.ts';

const at = (text: string) => ({ text, path: 'Date' });

/** Authentication, Transport and signing: the Date header is at most 60 seconds off. */
export function clockRules(design: BankDesign): readonly Rule[] {
  const { clockDeviationBehindSeconds: behind, clockDeviationAheadSeconds: ahead } = design.limits;
  return [
    rule('CLK-05', 'Date is present', 'clock', (request) =>
      request.header('date') === undefined ? at('The Date header is missing.') : undefined,
    ),
    rule('CLK-06', 'Date is a date', 'clock', (request, state) =>
      request.header('date') !== undefined && secondsAhead(request, state) === undefined
        ? at('The Date header is not an HTTP date such as "Tue, 03 Mar 2026 10:00:00 GMT".')
        : undefined,
    ),
    rule('CLK-03', `Date is at most ${behind} seconds behind`, 'clock', (request, state) =>
      -(secondsAhead(request, state) ?? 0) > behind
        ? at(`The Date header is more than ${behind} seconds behind the bank's clock.`)
        : undefined,
    ),
    rule('CLK-04', `Date is at most ${ahead} seconds ahead`, 'clock', (request, state) =>
      (secondsAhead(request, state) ?? 0) > ahead
        ? at(`The Date header is more than ${ahead} seconds ahead of the bank's clock.`)
        : undefined,
    ),
  ];
}

/** In whole seconds, the resolution of an HTTP date: a fraction of the bank's second is not held against the TPP. */
function secondsAhead(request: BankRequest, { clock }: BankState): number | undefined {
  const now = clock.now();
  const date = parseHttpDate(request.header('date') ?? '', now);
  return date === undefined
    ? undefined
    : Math.floor(date.getTime() / 1000) - Math.floor(now.getTime() / 1000);
}
