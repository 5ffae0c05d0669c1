import { BoundedStore } from '../bounded-store.ts';

/** Contact address of a TPP (Events), to which operational notices are sent. */
export interface TppContact {
  readonly emailAddress: string;
  readonly name?: string;
  readonly phoneNumber?: string;
}

export interface TppContacts {
  register(tppId: string, contact: TppContact): void;
  of(tppId: string): TppContact | undefined;
}

export function createTppContacts(): TppContacts {
  const contacts = new BoundedStore<TppContact>(10_000);
  return {
    register: (tppId, contact) => {
      contacts.set(tppId, contact);
    },
    of: (tppId) => contacts.get(tppId),
  };
}
