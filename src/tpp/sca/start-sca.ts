import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Psu } from '../psu.ts';

/** What asking for SCA has yielded: the link, or the answers that had none. */
export interface ScaStart {
  readonly link?: string;
  readonly answers: readonly Answer[];
}

/**
 * Starts SCA by calls that need it: an AISP asks for accounts without a PSU-ID, and GET /v1/user serves a PISP that
 * is not one (Other paths referred to).
 */
export async function startSca(
  send: (call: Call) => Promise<Answer>,
  { id: _, corporateId: __, ...psu }: Psu,
): Promise<ScaStart> {
  const answers: Answer[] = [];
  for (const operation of ['listAccounts', 'startUserFlow'] as const) {
    const answer = await send({ operation, psu });
    answers.push(answer);
    const link = scaLinkOf(answer);
    if (link !== undefined) return { link, answers };
  }
  return { answers };
}

/**
 * The link scaRedirect of an answer that goes on with it: a 401, or a success such as a created payment. Nothing says
 * that it is absolute; a relative one counts from the address of the request.
 */
export function scaLinkOf(answer: Answer): string | undefined {
  const link = answer.status === 401 || answer.isSuccess ? answer.link('scaRedirect') : undefined;
  if (link === undefined || URL.canParse(link)) return link;
  const { url } = answer.exchange.request;
  return URL.canParse(link, url) ? new URL(link, url).href : link;
}
