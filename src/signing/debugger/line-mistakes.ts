import { percentDecoded } from '../../spec/percent-encoding.ts';
import { requestTarget } from '../signing-string.ts';
import { bodyWritings, digestWritings } from './body-writings.ts';
import { headerOf, type ReceivedRequest } from './received-request.ts';

/** One header of the signing string. */
export type SignedLine = readonly [name: string, value: string];

/** Something that a TPP does otherwise than the specification has it. */
export interface Mistake {
  /** Stays the same whatever the request: `line-left-out`. */
  readonly id: string;
  /** Goes on after "The signature fits if": `the line digest is left out`. */
  readonly mistake: string;
  readonly remedy: string;
}

/** A mistake, and what becomes of something by it. */
export interface Variant<Made> extends Mistake {
  readonly made: Made;
}

type Lines = readonly SignedLine[];

/** More lines than any request has to sign; beyond that their orders are too many to try. */
const permutedLines = 6;
const chosenLines = 8;

const orderRemedy = 'Sign the lines in the order in which the part "headers" names them.';
const listRemedy = 'Name in the part "headers" exactly the lines that are signed, and sign exactly those.';

const namesOf = (lines: Lines): string => lines.map(([name]) => name).join(', ');

/** The lines in every other order. */
export function otherOrders(lines: Lines): readonly Variant<Lines>[] {
  const orders =
    lines.length <= permutedLines
      ? permutationsOf(lines)
      : [lines.toReversed(), lines.toSorted(([a], [b]) => (a < b ? -1 : 1)), ...exchanged(lines)];
  return orders
    .filter((order) => namesOf(order) !== namesOf(lines))
    .map((made) => ({
      id: 'other-order',
      mistake: `the lines are signed in the order ${namesOf(made)}`,
      remedy: orderRemedy,
      made,
    }));
}

function permutationsOf(lines: Lines): readonly Lines[] {
  if (lines.length <= 1) return [lines];
  return lines.flatMap((line, index) =>
    permutationsOf(lines.toSpliced(index, 1)).map((others) => [line, ...others]),
  );
}

const exchanged = (lines: Lines): readonly Lines[] =>
  lines.flatMap((first, i) =>
    lines.slice(i + 1).map((second, j) => lines.with(i, second).with(i + 1 + j, first)),
  );

/** Some of the lines alone. */
export function fewerLines(lines: Lines): readonly Variant<Lines>[] {
  const subsets =
    lines.length <= chosenLines ? subsetsOf(lines) : lines.map((_, index) => lines.toSpliced(index, 1));
  return subsets
    .filter((subset) => subset.length < lines.length && subset.length > 0)
    .toSorted((a, b) => b.length - a.length)
    .map((made) => {
      const missing = lines.filter((line) => !made.includes(line));
      return {
        id: missing.length === 1 ? 'line-left-out' : 'lines-left-out',
        mistake:
          missing.length === 1
            ? `the line ${namesOf(missing)} is left out`
            : made.length === 1
              ? `the line ${namesOf(made)} alone is signed`
              : `the lines ${namesOf(missing)} are left out`,
        remedy: listRemedy,
        made,
      };
    });
}

function subsetsOf(lines: Lines): readonly Lines[] {
  const [first, ...others] = lines;
  if (first === undefined) return [[]];
  const without = subsetsOf(others);
  return [...without.map((subset) => [first, ...subset]), ...without];
}

/** A line that the part headers does not name: `(request-target)`, or any header that the request carries. */
export function moreLines(
  lines: Lines,
  request: ReceivedRequest,
  places: 'everywhere' | 'at the ends',
): readonly Variant<Lines>[] {
  const listed = new Set(lines.map(([name]) => name));
  const present = new Set(
    request.headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => name !== 'signature' && !listed.has(name))
      .slice(0, 40),
  );
  const targets = listed.has('(request-target)')
    ? []
    : requestTargets(request).map(({ name, value }) => ({
        line: ['(request-target)', value] as const,
        name: `a line (request-target)${name === '' ? '' : ` (${name})`}`,
        id: 'request-target-added',
      }));
  const others = [...present].map((name) => ({
    line: [name, headerOf(request, name) ?? ''] as const,
    name: `a line ${name}`,
    id: 'line-added',
  }));
  return [...targets, ...others].flatMap(({ line, name, id }) =>
    (places === 'everywhere' ? [...lines.keys(), lines.length] : [0, lines.length]).map((index) => ({
      id,
      mistake: `${name} is added ${index === 0 ? 'at the beginning' : index === lines.length ? 'at the end' : `after ${lines[index - 1]?.[0]}`}`,
      remedy: listRemedy,
      made: lines.toSpliced(index, 0, line),
    })),
  );
}

/** `(request-target)` in the ways in which it is written; the right one first, without a name. */
function requestTargets(
  request: ReceivedRequest,
): readonly { readonly name: string; readonly value: string }[] {
  const { method, target } = request;
  const [path = '', ...query] = target.split('?');
  const fromVersion = /\/v1\/.*$/s.exec(target)?.[0];
  const host = headerOf(request, 'host');
  const writings = [
    { name: '', value: requestTarget(method, target) },
    { name: 'without the query', value: requestTarget(method, path) },
    { name: 'with the method in capitals', value: `${method} ${target}` },
    { name: 'with the method in capitals and without the query', value: `${method} ${path}` },
    { name: 'without the path prefix before /v1', value: requestTarget(method, fromVersion ?? target) },
    {
      name: 'without the path prefix and the query',
      value: requestTarget(method, (fromVersion ?? path).split('?', 1)[0] ?? ''),
    },
    {
      name: 'with the query decoded',
      value: requestTarget(method, `${path}${query.length === 0 ? '' : '?'}${decoded(query.join('?'))}`),
    },
    { name: 'with a slash at the end', value: requestTarget(method, `${path}/`) },
    { name: 'without the method', value: target },
    { name: 'with the HTTP version', value: `${requestTarget(method, target)} HTTP/1.1` },
    ...(host === undefined
      ? []
      : [{ name: 'with the whole address', value: `${method.toLowerCase()} https://${host}${target}` }]),
  ];
  const seen = new Set<string>();
  return writings.filter(({ value }) => !seen.has(value) && seen.add(value).size > 0);
}

const decoded = (text: string): string => percentDecoded(text) ?? text;

interface OtherValue {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly remedy: string;
}

const valueRemedy = 'Sign each value exactly as the header carries it, after both are final.';

/** Other values for single lines. */
export function otherValues(lines: Lines, request: ReceivedRequest): readonly Variant<SignedLine>[] {
  return lines.flatMap(([name, value]) =>
    otherValuesOf(name, value, request)
      .filter((other) => other.value !== value)
      .map(({ id, name: called, value: signed, remedy }) => ({
        id,
        mistake: `the line ${name} holds ${called}`,
        remedy,
        made: [name, signed] as const,
      })),
  );
}

function otherValuesOf(name: string, value: string, request: ReceivedRequest): readonly OtherValue[] {
  if (name === '(request-target)') {
    const remedy =
      'Write it as the method in lower case, a space, then path and query as they stand on the request line.';
    return requestTargets(request).map((other) => ({
      id: 'request-target-other',
      name: `the request target ${other.name}`.trimEnd(),
      value: other.value,
      remedy,
    }));
  }
  if (name === 'digest') return [...digestValues(request), ...anyValues(name, value, request)];
  if (name === 'date') return [...dateForms(value), ...anyValues(name, value, request)];
  return anyValues(name, value, request);
}

function digestValues({ body }: ReceivedRequest): readonly OtherValue[] {
  if (body === undefined) return [];
  const remedy =
    'Write the body once, hash those very bytes into the Digest header, sign that header, and send the same bytes.';
  return digestWritings(body, bodyWritings(body)).map((digest) => ({ ...digest, remedy }));
}

function anyValues(name: string, value: string, request: ReceivedRequest): readonly OtherValue[] {
  const raw = request.headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? value;
  const other = (id: string, called: string, signed: string): OtherValue => ({
    id,
    name: called,
    value: signed,
    remedy: valueRemedy,
  });
  return [
    other('value-untrimmed', 'the spaces around its value', raw),
    other('value-lower-case', 'its value in lower case', value.toLowerCase()),
    other('value-upper-case', 'its value in capitals', value.toUpperCase()),
    other('value-decoded', 'its value with the percent-encoding taken off', decoded(value)),
    other('value-encoded', 'its value percent-encoded', encodeURIComponent(value)),
    other('value-encoded', 'its value percent-encoded as an address', encodeURI(value)),
    other('value-slash', 'its value with a slash at the end', `${value}/`),
    other('value-slash', 'its value without the slash at the end', value.replace(/\/$/, '')),
    other('value-without-query', 'its value without the query', value.split('?', 1)[0] ?? ''),
    other('value-empty', 'no value', ''),
    other('value-null', 'the word null', 'null'),
    other('value-null', 'the word undefined', 'undefined'),
  ];
}

/** Programs that take the time twice, once to sign and once to send, differ by seconds. */
const nearbySeconds = 120;

function dateForms(value: string): readonly OtherValue[] {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return [];
  const date = new Date(time);
  const once = 'Take the time once, write the Date header from it, and sign that very text.';
  const form = (name: string, written: string): OtherValue => ({
    id: 'date-other-form',
    name,
    value: written,
    remedy: 'Sign the Date header as it is sent: Sun, 06 Nov 1994 08:49:37 GMT.',
  });
  const nearby = Array.from({ length: nearbySeconds }, (_, index) => index + 1).flatMap((seconds) =>
    [-seconds, seconds].map((shift) => ({
      id: 'date-other-time',
      name: `a Date that is ${seconds} ${seconds === 1 ? 'second' : 'seconds'} ${shift < 0 ? 'earlier' : 'later'}`,
      value: new Date(time + shift * 1000).toUTCString(),
      remedy: once,
    })),
  );
  const hours = Array.from({ length: 26 }, (_, index) => index - 12).map((shift) => ({
    id: 'date-other-zone',
    name: `a Date that is ${Math.abs(shift)} hours ${shift < 0 ? 'earlier' : 'later'}, as of another time zone`,
    value: new Date(time + shift * 3_600_000).toUTCString(),
    remedy: 'Write Date in GMT.',
  }));
  const utc = date.toUTCString();
  return [
    form('the Date as RFC 7231 has it', utc),
    form('the Date with +0000 for GMT', utc.replace('GMT', '+0000')),
    form('the Date with UTC for GMT', utc.replace('GMT', 'UTC')),
    form('the Date with one digit for the day, as Java writes RFC_1123_DATE_TIME', utc.replace(/, 0/, ', ')),
    form('the Date in ISO 8601', date.toISOString()),
    form('the Date in ISO 8601 without milliseconds', date.toISOString().replace('.000Z', 'Z')),
    form('the Date in seconds since 1970', String(time / 1000)),
    form('the Date in milliseconds since 1970', String(time)),
    ...nearby,
    ...hours,
  ];
}
