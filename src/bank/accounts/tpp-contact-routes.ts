import { textAt } from '../../spec/json.ts';
import type { BankRequest, Route } from '../design/route.ts';
import { rule } from '../design/rule.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import type { TppContact } from '../state/psu-state.ts';

const path = '/v1/tpp/contact';

/**
 * TPP dialogue operations (Other paths referred to): the contact address for operational notices (Events). Path and
 * shape are not shown in the specification, and the framework has no such operation: both are this bank's own.
 */
export const tppContactRoutes = (): readonly Route[] => [
  {
    operation: 'other',
    method: 'POST',
    path,
    rules: [addressIsMailbox],
    handle: (request, state) => {
      const contact = contactIn(request);
      if (contact !== undefined) state.tppContacts.register(tppIdOf(request), contact);
      return { status: 201, body: contact };
    },
  },
  {
    operation: 'other',
    method: 'GET',
    path,
    rules: [contactIsRegistered],
    handle: (request, state) => ({ status: 200, body: state.tppContacts.of(tppIdOf(request)) }),
  },
];

const mailbox = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;
const mostCharacters = 70;

function contactIn({ body }: BankRequest): TppContact | undefined {
  const emailAddress = textAt(body, 'emailAddress');
  if (emailAddress === undefined || !mailbox.test(emailAddress)) return undefined;
  const [name, phoneNumber] = [textAt(body, 'name'), textAt(body, 'phoneNumber')];
  if ([name, phoneNumber].some((text) => text !== undefined && text.length > mostCharacters))
    return undefined;
  return { emailAddress, ...(name && { name }), ...(phoneNumber && { phoneNumber }) };
}

const addressIsMailbox = rule(
  'ACC-08',
  'the contact has an e-mail address',
  'field',
  (request) =>
    contactIn(request) === undefined
      ? {
          path: 'emailAddress',
          text: `emailAddress is a mailbox; name and phoneNumber are optional, of at most ${mostCharacters} characters.`,
        }
      : undefined,
  { ownChoice: true },
);

const contactIsRegistered = rule(
  'ACC-08',
  'the TPP has registered a contact',
  'contactUnknown',
  (request, state) =>
    state.tppContacts.of(tppIdOf(request)) === undefined
      ? { text: `No contact is registered; POST ${path} registers one.` }
      : undefined,
  { ownChoice: true },
);
