import type { OperationName } from '../spec/operations.ts';
import type { HeaderList } from './header-list.ts';

/** A request on its way to the wire. Faults change it freely, before or after it is signed. */
export interface RequestDraft {
  readonly operation: OperationName | 'other';
  method: string;
  /** Path and query, prefix of the base address included. */
  target: string;
  readonly headers: HeaderList;
  body: Buffer | undefined;
}
