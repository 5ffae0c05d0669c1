import { createdBy } from '../../spec/products.ts';
import type { Answer } from '../answer.ts';
import { type Call, type Psu, type Variation, withHeader } from '../call.ts';
import { headerValue } from '../exchange.ts';
import type { RequestDraft } from '../signing-plan.ts';
import type { ScaPerson } from './sca-walker.ts';

/** What asking for SCA has yielded: the link, or the answers that had none. */
interface ScaStart {
  readonly link?: string;
  readonly answers: readonly Answer[];
}

/** Freedom: sca/exempt. Such as all but every third. */
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
    const link = scaRedirectOf(answer);
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
    const page = link instanceof OfferedAuthorisation ? await link.start(send) : link;
    if (typeof page === 'string') return { link: page, answers };
    if (page !== undefined) answers.push(page);
    if (page !== undefined || !answer.isSuccess) break;
  }
  return { answers };
}

/**
 * The link scaRedirect of an answer that goes on with it: a 401, or a success such as a created payment. Nothing says
 * that it is absolute; a relative one counts from the address of the request.
 */
export function scaRedirectOf(answer: Answer): string | undefined {
  const link = answer.status === 401 || answer.isSuccess ? answer.link('scaRedirect') : undefined;
  if (link === undefined || URL.canParse(link)) return link;
  const { url } = answer.exchange.request;
  return URL.canParse(link, url) ? new URL(link, url).href : link;
}

/**
 * What banks of the framework have in the place of scaRedirect: the link startAuthorisation of something created, or of a
 * deletion that is to be approved. Only once it is followed there is a page, and always the same one.
 */
export class OfferedAuthorisation {
  readonly call: Call;
  /** Leads the call to where the bank has its link, whoever sends it. */
  readonly there: Variation;
  readonly #asItsOwner: Variation;
  /** The answer that told of the page. */
  started: Answer | undefined;

  constructor(call: Call, there: Variation, asItsOwner: Variation) {
    this.call = call;
    this.there = there;
    this.#asItsOwner = asItsOwner;
  }

  /** The page that the PSU is sent to; or the answer that has told of none. */
  async start(send: (call: Call, variation: Variation) => Promise<Answer>): Promise<string | Answer> {
    const answer = this.started ?? (await send(this.call, this.#asItsOwner));
    const page = answer.isSuccess ? scaRedirectOf(answer) : undefined;
    if (page !== undefined) this.started = answer;
    return page ?? answer;
  }

  /** Another one for the same, beside what this one has started. */
  get anew(): OfferedAuthorisation {
    return new OfferedAuthorisation(this.call, this.there, this.#asItsOwner);
  }
}

/** Where SCA is passed: the address of a page, or what gives one when it is started. */
export type ScaLink = string | OfferedAuthorisation;

const offered = new WeakMap<Answer, OfferedAuthorisation>();

/** Where the PSU passes SCA for what was answered; undefined where nothing of the kind is asked for. */
export function scaLinkOf(answer: Answer): ScaLink | undefined {
  const link = scaRedirectOf(answer);
  if (link !== undefined || !answer.isSuccess) return link;
  const known = offered.get(answer) ?? authorisationIn(answer);
  if (known !== undefined) offered.set(answer, known);
  return known;
}

/** Of the request that was answered, so that the PSU is the same, and comes back to the same place. */
const ofThePsu = [
  'TPP-Session-ID',
  'TPP-Redirect-URI',
  'TPP-Redirect-Preferred',
  'PSU-ID',
  'PSU-Corporate-ID',
  'X-PSU-IDENTITY',
  'PSU-Context',
  'PSU-IP-Address',
] as const;

function authorisationIn(answer: Answer): OfferedAuthorisation | undefined {
  const { asked, exchange } = answer;
  const link = answer.link('startAuthorisation');
  if (link === undefined || asked === undefined || !URL.canParse(link, exchange.request.url))
    return undefined;
  const call = startFor(answer, asked.params);
  if (call === undefined) return undefined;
  const there = (draft: RequestDraft): void => {
    draft.target = placeIn(new URL(link, exchange.request.url), draft.target);
  };
  const asItsOwner = (draft: RequestDraft): void => {
    there(draft);
    for (const name of ofThePsu) {
      const value = headerValue(exchange.request.headers, name);
      if (value === undefined) draft.headers.remove(name);
      else draft.headers.set(name, value);
    }
  };
  const { psu, identity } = asked;
  return new OfferedAuthorisation(
    { ...call, psu },
    { beforeSigning: there },
    { beforeSigning: asItsOwner, signing: { identity } },
  );
}

/** What is started, by what was asked for. */
function startFor(answer: Answer, params: Call['params'] = {}): Call | undefined {
  const { operation } = answer.exchange;
  if (operation === 'deletePayment') return { operation: 'startPaymentCancellation', params };
  if (operation === 'createSigningBasket')
    return { operation: 'startBasketAuthorisation', params: { basketId: answer.text('basketId') ?? '' } };
  const product = createdBy(operation)?.path;
  const paymentId = answer.text('paymentId');
  if (product === undefined || paymentId === undefined) return undefined;
  return { operation: 'startPaymentAuthorisation', params: { product, paymentId } };
}

/** Freedom: wire/links. What is signed by a TPP goes nowhere else. */
function placeIn({ pathname, search }: URL, usual: string): string {
  const [before, after] = [usual.lastIndexOf('/v1/'), pathname.lastIndexOf('/v1/')];
  return before < 0 || after < 0 ? usual : usual.slice(0, before) + pathname.slice(after) + search;
}
