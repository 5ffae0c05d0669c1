import { check, section, suite } from '../../src/checks/check.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { answersSoFar, successes } from '../../src/checks/samples.ts';
import { groupedBy } from '../../src/spec/grouped-by.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { isPossibleDate } from '../../src/tpp/bank-clock.ts';
import { suffixes } from '../id-suffixes.ts';
import {
  encodedTwiceIn,
  isCalledXml,
  isFullDate,
  isOtherDate,
  otherDates,
  otherEncodingOf,
  tellsStoredData,
  wantsLatin1,
  wantsXml,
} from './forms-of-answers.ts';

/** What every answer of the run is looked at for. */
export default suite('Forms of answers', section('What the service does'), () => [
  check({
    id: 'TRN-03',
    requirement: 'TRN-03',
    title: 'every response body of a payment, basket or listing that was created or read is JSON',
    steps: [
      'Look at every successful answer with a body that any check of this run has had, unless it asked for XML.',
    ],
    expected: 'JSON',
    observes: true,
    async run(context) {
      const answers = await successes(context);
      const wrong = answers.find(
        (answer) =>
          answer.bytes.length > 0 && (answer.json === undefined || isCalledXml(answer)) && !wantsXml(answer),
      );
      if (wrong === undefined) return;
      context.evidence = [wrong.exchange];
      const type = wrong.headers.get('Content-Type') ?? 'no Content-Type';
      throw new ExpectationFailed(
        'a JSON body',
        wrong.json === undefined ? `${type} that is not JSON` : `JSON that is called ${type}`,
      );
    },
  }),
  check({
    id: `TRN-03${suffixes.type}`,
    requirement: 'TRN-03',
    title: 'every JSON body of a payment, basket or listing is called JSON',
    steps: ['Look at the Content-Type of every successful answer with a JSON body that this run has had.'],
    expected: 'a Content-Type of JSON, such as application/json',
    // A body that is JSON is what the specification demands; by another name some clients do not read it.
    levelUnder: () => 'advisory',
    observes: true,
    async run(context) {
      const answers = await successes(context);
      const wrong = answers.find(
        ({ headers, bytes }) => bytes.length > 0 && !/\bjson\b/i.test(headers.get('Content-Type') ?? ''),
      );
      if (wrong === undefined) return;
      context.evidence = [wrong.exchange];
      throw new ExpectationFailed(
        'a Content-Type of JSON',
        wrong.headers.get('Content-Type') ?? 'no Content-Type',
      );
    },
  }),
  check({
    id: 'TRN-03-errors',
    requirement: 'TRN-03',
    title: 'every error that says it is JSON is JSON',
    // What an error body looks like is not shown, and a gateway may answer with a page of its own.
    steps: ['Look at every refusal that any check of this run has had whose Content-Type is one of JSON.'],
    expected: 'JSON',
    observes: true,
    async run(context) {
      const answers = await answersSoFar(context, 'refusals');
      const wrong = answers.find(
        ({ status, headers, bytes, json }) =>
          status >= 400 &&
          status < 500 &&
          bytes.length > 0 &&
          json === undefined &&
          /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? ''),
      );
      if (wrong === undefined) return;
      context.evidence = [wrong.exchange];
      throw new ExpectationFailed('a JSON body', 'one that is called JSON and is none');
    },
  }),
  check({
    id: 'TRN-05',
    requirement: 'TRN-05',
    title: 'every response body is encoded in UTF-8',
    steps: [
      'Look at every answer in JSON that any check of this run has had, unless it asked for another encoding.',
      'Where an operation tells letters outside ASCII, look whether all of them are those of the bytes of others; not where testers may have stored them so in the sandbox.',
    ],
    expected: 'UTF-8',
    observes: true,
    async run(context) {
      const answers = await answersSoFar(context, 'successes', 'refusals');
      const isJson = ({ headers }: Answer): boolean => /json/i.test(headers.get('Content-Type') ?? 'json');
      const isTold = (seen: Answer): boolean => isJson(seen) && !wantsLatin1(seen);
      for (const answer of answers.filter(isTold)) {
        const encoding = otherEncodingOf(answer);
        if (encoding === undefined) continue;
        context.evidence = [answer.exchange];
        throw new ExpectationFailed('UTF-8', encoding);
      }
      const isInitial = context.missing('initial-data-set') === undefined;
      const isItsOwn = (seen: Answer): boolean =>
        isInitial || context.target.environment !== 'sandbox' || !tellsStoredData(seen);
      const byOperation = groupedBy(
        answers.filter((seen) => isTold(seen) && isItsOwn(seen)),
        ({ exchange }) => exchange.operation,
      );
      for (const told of byOperation.values()) {
        const twice = encodedTwiceIn(told);
        if (twice.length === 0) continue;
        context.evidence = told.slice(0, 1).map(({ exchange }) => exchange);
        throw new ExpectationFailed('UTF-8', `UTF-8 that was encoded twice, as in ${twice.join(' and ')}`);
      }
    },
  }),
  check({
    id: 'TRN-07',
    requirement: 'TRN-07',
    title:
      'the Date of every response is a date of today in the full-date form of RFC 7231, and others have that form',
    steps: [
      'Look at the Date header of every answer that any check of this run has had.',
      'Look at Expires, Last-Modified and Retry-After, where there are any.',
    ],
    expected: 'a Date such as Sun, 06 Nov 1994 08:49:37 GMT, no more than thirty days from our clock',
    observes: true,
    async run(context) {
      const answers = await answersSoFar(context, 'successes', 'refusals');
      const dated = answers.filter(({ headers }) => headers.has('Date'));
      if (dated.length === 0) context.note('The bank sends no Date header.');
      const isRight = ({ exchange, headers }: Answer): boolean => {
        const date = headers.get('Date') ?? '';
        return isFullDate(date) && isPossibleDate(date, Date.parse(exchange.startedAt));
      };
      const wrong = dated.find((seen) => !isRight(seen));
      if (wrong !== undefined) {
        context.evidence = [wrong.exchange];
        throw new ExpectationFailed(
          'a Date such as Sun, 06 Nov 1994 08:49:37 GMT, no more than thirty days from our clock',
          wrong.headers.get('Date') ?? '',
        );
      }
      for (const { headers, exchange } of answers) {
        const other = otherDates.find((name) => isOtherDate(headers.get(name) ?? ''));
        if (other === undefined) continue;
        context.evidence = [exchange];
        throw new ExpectationFailed(
          `${other} such as Sun, 06 Nov 1994 08:49:37 GMT`,
          headers.get(other) ?? '',
        );
      }
    },
  }),
]);
