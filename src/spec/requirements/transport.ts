import { ofInitiations, ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const says = statements('bank', ['core'], 'What the service does');
const header = statements('bank', ['core'], 'Endpoints', 'Common request headers');
const transport = statements('bank', ['core'], 'Authentication', 'Transport and signing');

export const transportRequirements: readonly Requirement[] = [
  says('TRN-01', 'Payloads are JSON: a request body in XML is refused.', {
    profiles: ofInitiations,
    reading: 'contentTypes',
    remedies: ['xmlTaken'],
  }),
  says('TRN-02', 'A request body that is not well-formed JSON is refused.', {
    profiles: ofInitiations,
    remedies: ['lenientParser'],
  }),
  says('TRN-03', 'Response bodies are JSON.', { remedies: ['errorsOfGateway'] }),
  says('TRN-04', 'Requests are read as UTF-8: text in Norwegian letters is accepted.', {
    profiles: ['domestic-payments'],
    reading: 'letters',
    remedies: ['decodedByPlatform'],
  }),
  says('TRN-05', 'Responses are encoded in UTF-8.', { remedies: ['errorsOfGateway'] }),
  says(
    'TRN-06',
    'A character that the downstream system cannot process, such as an emoji, is answered 400 if it is not accepted.',
    {
      profiles: ofPayments,
      reading: 'unprocessableCharacters',
      status: 400,
      remedies: ['charactersDownstream'],
    },
  ),
  says('TRN-07', 'Dates in HTTP headers use the full-date form of RFC 7231, in responses as well.', {
    remedies: ['dateOfLocale'],
  }),
  says('TRN-08', 'The SCA flow seen from the TPP is the same in production and in the sandbox.', {
    profiles: ['sca-redirect'],
    unobservable: 'a run sees one environment; the two cannot be compared from one target',
  }),
  says('TRN-09', 'The sandbox page asks only for a mocked national identification number.', {
    profiles: ['sandbox'],
    level: 'advisory',
    unobservable: 'what a page asks for beyond the fields that the walk fills in is for people to see',
  }),
  says(
    'TRN-10',
    'Date-times in payloads use the form YYYY-MM-DDThh:mm:ss+00:00 and dates the form YYYY-MM-DD.',
    {
      profiles: ['accounts'],
      remedies: ['datesOfOtherForm'],
    },
  ),
  says('TRN-11', 'An optional member of a response that has no value is left out, and not null.', {
    profiles: ofInitiations,
    level: 'advisory',
    reading: 'nullMembers',
    remedies: ['internalModel'],
  }),
  header(
    'TRN-14',
    'A request is accepted in every form that a correct TPP may give it: header names in any case, a charset in Content-Type, packed answers.',
    { remedies: ['oneFormKnown'] },
  ),
  header('TRN-12', 'TPP-Redirect-URI may be the address of an app, and may have a query or a fragment.', {
    level: 'should',
    profiles: ofInitiations,
    remedies: ['oneFormKnown'],
  }),
  header('TRN-15', 'X-Request-ID is a string that the TPP chooses, and need not be a UUID.', {
    level: 'should',
    profiles: ofInitiations,
    remedies: ['oneFormKnown'],
  }),
  header('TRN-16', 'TPP-Session-ID is a string that the TPP chooses, and need not be a UUID.', {
    level: 'should',
    profiles: ofPayments,
    remedies: ['oneFormKnown'],
  }),
  // PSU-IP-Address is a string here, and an IPv4 address in the framework that the interface builds on.
  header('TRN-17', 'PSU-IP-Address may be an IPv6 address.', {
    level: 'should',
    profiles: ofInitiations,
    remedies: ['oneFormKnown'],
  }),
  header(
    'TRN-18',
    'What is demanded of a request is demanded of every client: no rule goes by User-Agent, the order of headers, the address of the PSU or TPP-Redirect-URI.',
    { remedies: ['onlyForSome'] },
  ),
  // Which programs a bank turns away is not said.
  header('TRN-19', 'A correct request is taken from any HTTP client.', {
    level: 'should',
    remedies: ['onlyForSome'],
  }),
  says('TRN-13', 'A request body that is not encoded in UTF-8 is refused.', {
    profiles: ofInitiations,
    level: 'should',
    remedies: ['decodedByPlatform'],
  }),
  transport('TLS-01', 'TLS 1.2 or higher is offered.', { remedies: ['oldTls'] }),
  transport('TLS-02', 'TLS versions below 1.2 are refused.', { remedies: ['oldTls'] }),
];
