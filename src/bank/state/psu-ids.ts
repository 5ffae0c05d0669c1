import { createHmac } from 'node:crypto';
import { BoundedStore } from '../../signing/bounded-store.ts';
import type { Customer, CustomerStore } from './customers.ts';

/**
 * PSU-ID (PSU identification and SCA): one UUID per TPP and PSU, which does not change. It is derived instead of
 * stored, so that it also survives initialisation and a restart of the bank.
 */
export interface PsuIds {
  idFor(tppId: string, customerNumber: string): string;
  /** The customer number behind a PSU-ID, if this TPP got it and the customer still exists. */
  customerNumberOf(tppId: string, psuId: string): string | undefined;
}

const sandboxKey = 'reference bank sandbox';

export function createPsuIds(customers: CustomerStore, key: string = sandboxKey): PsuIds {
  const idFor = (tppId: string, customerNumber: string): string =>
    uuidOf(createHmac('sha256', key).update(`${tppId}\n${customerNumber}`).digest());
  // Looking a PSU up costs a hash for each customer, and a TPP names the same few again and again.
  const found = new BoundedStore<string>(10_000);
  return {
    idFor,
    customerNumberOf: (tppId, psuId) => {
      const key = `${tppId}\n${psuId.toLowerCase()}`;
      const known = customers.byNumber(found.get(key) ?? '') ?? customerOf(tppId, psuId.toLowerCase());
      if (known !== undefined) found.set(key, known.customerNumber);
      return known?.customerNumber;
    },
  };

  function customerOf(tppId: string, psuId: string): Customer | undefined {
    return customers.list().find(({ customerNumber }) => idFor(tppId, customerNumber) === psuId);
  }
}

/** The first 16 bytes, marked as a random UUID (RFC 9562): without the key they are no less random. */
function uuidOf(bytes: Buffer): string {
  const marked = Buffer.from(bytes.subarray(0, 16));
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x40;
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80;
  return marked.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
