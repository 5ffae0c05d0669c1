import type { HeaderLine, RecordedResponse } from './exchange.ts';
import { beginningOf, cutText, limits } from './limits.ts';
import type { WireResponse } from './transport.ts';

/** The response as it is kept: within the limits, and saying so where something was cut. */
export const recordedResponse = ({ status, headers, body, cut }: WireResponse): RecordedResponse => ({
  status,
  headers: headers.map((line) => (line[1].length <= limits.shownHeader ? line : cutLine(line))),
  body: [
    body.length > limits.shownBody
      ? beginningOf(body.toString('utf8', 0, limits.shownBody + 1), limits.shownBody)
      : body.toString('utf8'),
    ...(body.length > limits.shownBody ? [`… [cut: the body has ${body.length} bytes]`] : []),
    ...(cut === undefined ? [] : [`[not read whole: ${cut}]`]),
  ].join(''),
});

const cutLine = ([name, value]: HeaderLine): HeaderLine => [name, cutText(value, limits.shownHeader)];
