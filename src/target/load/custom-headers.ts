import { headerRows } from '../../spec/headers.ts';
import type { LoadContext } from './context.ts';

/** Headers that make up the message itself: setting them would break every request. */
const ofTheMessage = ['Date', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect'];
const ownHeaders = [...ofTheMessage, ...headerRows.map(({ name }) => name)];

export function loadCustomHeaders(
  { complain }: LoadContext,
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  for (const name of Object.keys(given)) {
    if (!ownHeaders.some((own) => own.toLowerCase() === name.toLowerCase())) continue;
    complain(
      ['customHeaders', name],
      'The suite sets this header itself, rightly or wrongly on purpose. Remove it here.',
    );
  }
  return given;
}
