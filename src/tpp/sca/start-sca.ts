import type { Answer } from '../answer.ts';
import { type Call, type Psu, type Variation, withHeader } from '../call.ts';
import type { ScaPerson } from './sca-walker.ts';

/** What asking for SCA has yielded: the link, or the answers that had none. */
interface ScaStart {
  readonly link?: string;
  readonly answers: readonly Answer[];
}

/** A bank may exempt some payments from SCA, such as all but every third of them. */
const mostExempted = 3;

/** A payment of somebody whom the TPP knows by their number alone. */
export interface PaymentByNumber extends Pick<ScaPerson, 'nationalId' | 'context'> {
  readonly payment: Call;
}

/**
 * Starts SCA by calls that need it: an AISP asks for accounts without a PSU-ID, and GET /v1/user serves a PISP that
 * is not one (Other paths referred to). Where the bank has neither, a payment is left (Common request headers:
 * X-PSU-IDENTITY, and PSU-Context for a single SCA).
 */
export async function startSca(
  send: (call: Call, variation: Variation) => Promise<Answer>,
  { id: _, corporateId: __, ...psu }: Psu,
  toPay: () => PaymentByNumber | undefined = () => undefined,
): Promise<ScaStart> {
  const answers: Answer[] = [];
  for (const operation of ['listAccounts', 'startUserFlow'] as const) {
    const answer = await send({ operation, psu }, {});
    answers.push(answer);
    const link = scaLinkOf(answer);
    if (link !== undefined) return { link, answers };
  }
  if (!answers.every(({ isAbsent }) => isAbsent)) return { answers };
  for (let exempted = 0; exempted < mostExempted; exempted += 1) {
    const byNumber = toPay();
    if (byNumber === undefined) break;
    const { payment, nationalId, context } = byNumber;
    const answer = await send(
      { ...payment, psu: { ...psu, nationalId } },
      withHeader('PSU-Context', context),
    );
    answers.push(answer);
    const link = scaLinkOf(answer);
    if (link !== undefined) return { link, answers };
    if (!answer.isSuccess) break;
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
