import { join } from 'node:path';
import type { EmbeddedBank } from '../runner/embedded-bank.ts';
import { tool } from '../runner/package.ts';
import { sandboxFiles } from '../runner/sandbox-folder.ts';
import type { BankSwitches } from './bank-switches.ts';

/** What a program needs to know of a bank that has begun to listen. */
export function listeningEvent(embedded: EmbeddedBank, dir: string, switches: BankSwitches): object {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  return {
    event: 'listening',
    tool,
    baseUrl,
    target: join(dir, sandboxFiles.target),
    ca: join(dir, sandboxFiles.ca),
    tpp: {
      certificate: join(dir, sandboxFiles.tpp),
      privateKey: join(dir, sandboxFiles.tppKey),
      authorisationNumber: certificate.authorisationNumber,
      roles: certificate.roles,
    },
    psu: description.psu,
    customers: customersOf(embedded),
    deviations: switches.deviations.map(({ id }) => id),
    dialects: switches.dialects.map(({ id }) => id),
  };
}

/** The same for people. */
export function welcome(embedded: EmbeddedBank, dir: string, switches: BankSwitches): string {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  const file = (name: string): string => join(dir, name);
  const customers = customersOf(embedded);
  const nameWidth = Math.max(...customers.map(({ name }) => name.length));
  return [
    `Reference bank, ${tool.name} ${tool.version}`,
    ...[...switches.deviations, ...switches.dialects].map(({ id, title }) => `  It ${title} (${id}).`),
    ...Object.entries(switches.readings).map(
      ([id, value]) =>
        `  That breaks a rule under the reading ${id}: ${value}, which the target file chooses.`,
    ),
    '',
    `  Base URL     ${baseUrl}`,
    `  Authority    ${file(sandboxFiles.ca)}`,
    `  TPP          ${file(sandboxFiles.tpp)} and ${sandboxFiles.tppKey} (${certificate.authorisationNumber}, ${certificate.roles.join(' and ')})`,
    `  PSU          PSU-ID ${description.psu.id}`,
    `               TPP-Session-ID ${description.psu.sessionId} (customer ${description.psu.nationalId}, SCA passed)`,
    `  Target file  ${file(sandboxFiles.target)}`,
    '',
    'Customers; their number is what the SCA page asks for:',
    ...customers.map(({ customerNumber, type, name, accounts, cards }) =>
      [
        `  ${customerNumber}`,
        type.padEnd(9),
        name.padEnd(nameWidth),
        ...accounts.map(({ bban, currency }) => `${bban} ${currency}`),
        ...cards.map((card) => `card ${card}`),
      ].join('  '),
    ),
    '',
    `Judge it:  npx xs2a-conformance run --target ${file(sandboxFiles.target)}`,
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

interface ShownCustomer {
  readonly customerNumber: string;
  readonly type: string;
  readonly name: string;
  readonly accounts: readonly { readonly bban: string; readonly currency: string }[];
  readonly cards: readonly string[];
}

function customersOf({ bank }: EmbeddedBank): readonly ShownCustomer[] {
  const { customers } = bank.state;
  return customers.list().map(({ customerNumber, customerType, customerName }) => ({
    customerNumber,
    type: customerType,
    name: customerName,
    accounts: customers.accountsOf(customerNumber).map(({ bban, currency }) => ({ bban, currency })),
    cards: customers.cardAccountsOf(customerNumber).map(({ identification }) => identification),
  }));
}
