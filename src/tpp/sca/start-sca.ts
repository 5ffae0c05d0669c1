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

/** The link scaRedirect of an answer that goes on with it: a 401, or a success such as a created payment. */
export const scaLinkOf = (answer: Answer): string | undefined =>
  answer.status === 401 || answer.isSuccess ? answer.link('scaRedirect') : undefined;
