import { psuContexts } from '../../src/spec/code-lists.ts';
import { isUuid } from '../../src/spec/formats.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { encodedParameter, isReturnTo, type ScaReturn } from '../../src/tpp/sca/sca-return.ts';

const shown = (value: string | undefined): string => (value === undefined ? 'nothing' : `"${value}"`);

/** What is wrong with a redirect after success, as its name and what it should be; undefined when nothing is. */
export function objectionTo(back: ScaReturn, psu: Psu): readonly [string, string] | undefined {
  if (!isReturnTo(psu.redirectUri, back.address))
    return ['a redirect to the address in TPP-Redirect-URI', `a redirect to ${back.address.split('?')[0]}`];
  if (!isUuid(back.psuId ?? '')) return ['psu-id with a UUID', shown(back.psuId)];
  if (psu.id !== undefined && back.psuId?.toLowerCase() !== psu.id.toLowerCase())
    return [`psu-id ${psu.id}, which does not change,`, shown(back.psuId)];
  if (back.sessionId !== psu.sessionId)
    return ['tpp-session-id with the TPP-Session-ID of the request', shown(back.sessionId)];
  if (!(psuContexts as readonly (string | undefined)[]).includes(back.context))
    return ['context with PRIVATE or CORPORATE', shown(back.context)];
  return undefined;
}

/** The same for what it carries of the company that the PSU acts for. */
export function objectionToCompany(back: ScaReturn, psu: Psu): readonly [string, string] | undefined {
  if (back.psuCorporateId?.toLowerCase() !== psu.corporateId?.toLowerCase())
    return ['psu-corporate-id with the PSU-Corporate-ID of the request', shown(back.psuCorporateId)];
  return back.context === 'CORPORATE' ? undefined : ['context CORPORATE', shown(back.context)];
}

/** RFC 3986, 3.4: what may stand in a query; a plus sign is a space in forms. */
const isEncoded = (text: string): boolean => /^(?:[\w\-.~!$'()*+,;:@/?]|%[0-9a-f]{2})+$/i.test(text);

/** The same for a redirect after failure. */
export function objectionToFailure(back: ScaReturn): readonly [string, string] | undefined {
  if (!/^[1-5]\d\d$/.test(back.status ?? ''))
    return ['status with a number from 100 to 599', shown(back.status)];
  if (!back.code) return ['code with an error code', shown(back.code)];
  const message = encodedParameter(back.address, 'message');
  return isEncoded(message ?? '') ? undefined : ['message with a URL-encoded text', shown(message)];
}
