import type { psuContexts } from '../../spec/code-lists.ts';
import { type Exchange, headerValue } from '../exchange.ts';
import type { ScaReturn } from './sca-return.ts';

/** As whom SCA is passed, and where the bank is to send the PSU afterwards. */
export interface ScaPerson {
  /** The mocked national identity number that a sandbox asks for. */
  readonly nationalId: string;
  readonly context: (typeof psuContexts)[number];
  /** TPP-Redirect-URI of the request that started SCA, where it is not that of the target file. */
  readonly redirectUri?: string;
  /** What a box says whose account is not granted, any of these: its id, its BBAN. All others are ticked. */
  readonly deselects?: readonly string[];
  /** The same of a card account, as far as the pages have a box for it alone: it stays empty as well. */
  readonly deselectsCards?: readonly string[];
}

/** As whom SCA is cancelled, where that is known. */
export interface CancellingPerson
  extends Pick<ScaPerson, 'redirectUri'>,
    Partial<Pick<ScaPerson, 'nationalId' | 'context'>> {
  /** Only once the page knows who that is. */
  readonly isLate?: true;
}

/** The PSU's return, and what was done on the way. */
export interface PassedSca extends ScaReturn {
  /** No page had a field to type into: whoever follows the link is taken for the PSU whom the bank has in mind. */
  readonly wasNotAsked?: true;
  /** It cannot be told whether any page has asked who the PSU is. */
  readonly wasPerhapsNotAsked?: true;
  /** The numbers of accounts whose boxes were ticked, where the pages say them. */
  readonly granted?: readonly string[];
  /** How many boxes of accounts and cards were ticked, those too that say no number. */
  readonly grantedBoxes?: number;
  /** There was a box of the account to deselect, and it was left empty. */
  readonly hasDeselected?: true;
  /** What those boxes said, of what was to be deselected, where the pages say it. */
  readonly leftEmpty?: readonly string[];
  /** Why no account can be deselected in this way, and what can be done; absent where it is up to the pages. */
  readonly cannotDeselect?: string;
  /** Whether it had been ticked before; absent where that cannot be told, since a script may have ticked it. */
  readonly wasPreselected?: boolean;
}

/** Is told of every page that was asked for. */
export type PageRecorder = (exchange: Exchange) => void;

/** A way to pass the SCA of a bank, from the link scaRedirect to TPP-Redirect-URI. It judges nothing. */
export interface ScaWalker {
  pass(link: string, person: ScaPerson, record?: PageRecorder): Promise<PassedSca>;
  /**
   * Undefined where this way, or the page of the bank, knows no way to cancel. A page that knows none is left behind
   * where a person can be named to it: then SCA may be over.
   */
  abort(link: string, person?: CancellingPerson, record?: PageRecorder): Promise<ScaReturn | undefined>;
  /** Opens a page without going on from it, where walks have to be kept apart. */
  readonly look?: <Found>(open: () => Promise<Found>) => Promise<Found>;
}

/**
 * Why the walk came to no end. `astray` is the bank's doing: it sent the PSU with the parameters of a redirect to
 * another address than TPP-Redirect-URI. So is `left-behind`: what pages without scripts asked for was filled in, and led
 * to a page that says it is done and has no form, no link and no script, so that nobody gets on from there, or that breaks
 * down; or SCA was cancelled, and led to such a page. `off-limits` is where this suite sends nothing: to a host that the
 * target file does not allow, or without TLS. `not-listed` is where people choose who they are, and this person is not
 * among them; `untold` where nobody can tell which of the choices of a page is for a company. `unreachable` says nothing
 * about the pages, and neither does `lost`: a form died on the way and may have arrived, so that it is not sent twice, but
 * SCA may well be passed from a new link.
 */
export type ScaTrouble =
  | 'cannot-walk'
  | 'stuck'
  | 'left-behind'
  | 'astray'
  | 'off-limits'
  | 'not-listed'
  | 'untold'
  | 'unreachable'
  | 'lost';

/** So many times is SCA begun, each time from a new link, where its form was lost on the way. */
export const mostBeginnings = 4;

/** SCA was not passed; the message is a sentence for the user. */
export class ScaWalkError extends Error {
  override readonly name = 'ScaWalkError';
  readonly kind: ScaTrouble;
  /** Where the PSU was sent to, when that was the trouble. */
  readonly address: string | undefined;
  /** Of the page that was the trouble, where the bank showed it in place of one to go on from: 4xx or 5xx. */
  readonly status: number | undefined;

  constructor(kind: ScaTrouble, message: string, address?: string, status?: number) {
    super(message);
    this.kind = kind;
    this.address = address;
    this.status = status;
  }
}

/** Whether a form of SCA died on the way, and that is all: then it is begun again. */
export const isLostInSca = (error: unknown): boolean =>
  error instanceof ScaWalkError && error.kind === 'lost';

/** Whether the pages showed no way on. */
export const isStuckInSca = (error: unknown): boolean =>
  error instanceof ScaWalkError && error.kind === 'stuck';

/** The bank has shown a page of an error: nothing has died on the way, and nothing was approved there. */
export const wasRefusedInSca = (error: unknown): boolean =>
  error instanceof ScaWalkError && error.status !== undefined && error.status < 500;

/** The way to the page failed, or nobody knows what to choose there. */
export const saysNothingOfBank = (error: unknown): boolean =>
  error instanceof ScaWalkError &&
  ['unreachable', 'lost', 'untold'].includes(error.kind) &&
  !wasRefusedInSca(error);

/** How pages are told from the requests of a TPP. */
export const scaPage = 'SCA page';

/** Whether a page was refused, as that of a link is which is over; or the PSU was sent back at once, since it is. */
export function isPageGone({ purpose, request, response }: Exchange): boolean {
  if (purpose !== scaPage || response === undefined) return false;
  const { status, headers } = response;
  const isSentBack = request.method === 'GET' && /[?&]code=/.test(headerValue(headers, 'Location') ?? '');
  return (status >= 400 && status < 500) || isSentBack;
}
