import type { Bank } from '../bank/bank.ts';
import type { RecordingStart } from '../certification/recording.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import type { CurlConnection } from '../tpp/curl-command.ts';
import type { BankByHand } from './bank-by-hand.ts';
import type { CertificationView } from './certification-view.ts';
import type { RequestBook } from './request-book.ts';

/** What the console is about. */
export interface ConsoleContext {
  readonly book: RequestBook;
  readonly bank: Bank;
  readonly baseUrl: string;
  /** How curl reaches the bank. */
  readonly connection: CurlConnection;
  /** A TPP whose key is at hand, to sign anew with. */
  readonly identity?: SigningIdentity;
  /** Why nothing is replayed here, whoever signed it. */
  readonly replayRefused?: string;
  /** Where the bank may be changed by hand. */
  readonly byHand?: BankByHand;
  /** Where a TPP is certified. */
  readonly certification?: CertificationView;
  /** What journeys are recognised by. */
  readonly start: RecordingStart;
}
