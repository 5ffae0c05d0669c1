import { ofInitiations, ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const says = statements('bank', ['core'], 'Versioning');
const events = statements('bank', ['core'], 'Events');

const ofAnotherProduct = 'concerns payment types that this specification only mentions';

export const versioningRequirements: readonly Requirement[] = [
  says('VER-01', 'All paths carry the prefix /v1.', { remedies: ['prefixRewritten'] }),
  says('VER-02', 'x-accept-fix takes several values, separated by commas.', {
    profiles: ofInitiations,
    remedies: ['acceptFixAsText'],
  }),
  says('VER-03', 'x-accept-fix amount-as-string: amounts are serialised as strings, by default since 2020.', {
    profiles: ofPayments,
    remedies: ['feesApart', 'internalModel'],
  }),
  says(
    'VER-04',
    'x-accept-fix cardaccount-switch-originalamount-and-transactionamount corrects the amount mapping of card transactions.',
    { profiles: ['accounts'], unobservable: 'the shape of card transactions is not shown' },
  ),
  says('VER-05', 'x-accept-fix longer-names allows card account names of up to 70 characters.', {
    profiles: ['accounts'],
    unobservable: 'the shape of card accounts is not shown',
  }),
  says('VER-06', 'x-accept-fix cash-account-type-iso maps cashAccountType to ISO 20022.', {
    profiles: ['accounts'],
    remedies: ['internalCode'],
  }),
  says('VER-07', 'Breaking changes follow a notice period of three months.', {
    unobservable: 'a promise about the future',
  }),
  says('VER-08', 'Every known value of x-accept-fix is accepted.', {
    profiles: ofInitiations,
    remedies: ['acceptFixAsText'],
  }),
  says('VER-09', 'Payment ids stay valid after changes in other channels.', {
    profiles: ['payment-lifecycle'],
    unobservable: 'needs a change in another channel',
  }),
  says(
    'VER-10',
    'Periodic payments with frequency MonthlyVariable and duplicate month identifiers are rejected.',
    { profiles: ofPayments, unobservable: ofAnotherProduct },
  ),
  says('VER-11', 'Instant payments between own accounts in the same bank are allowed.', {
    profiles: ofPayments,
    unobservable: ofAnotherProduct,
  }),
  says('VER-12', 'Urgent service level is possible on non-SEPA cross-border payments.', {
    profiles: ['cross-border-payments'],
    unobservable: 'the field for it is not shown',
  }),
  says(
    'VER-13',
    'The sandbox runs simulated batch processing five times a day for all payments except periodic ones.',
    { profiles: ['sandbox'], unobservable: 'takes hours; not judged in a run' },
  ),
  says('VER-14', 'endToEndIdentification is available for more payment types.', {
    profiles: ofPayments,
    unobservable: ofAnotherProduct,
  }),
  events('EVT-01', 'No callbacks reach the TPP other than the two SCA redirects.', {
    unobservable: 'the absence of calls to an address that is never served cannot be shown',
  }),
];
