import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { psuContexts } from '../../src/spec/code-lists.ts';
import { encodedParameter, isReturnTo, type ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { suffixes } from '../id-suffixes.ts';
import { atEachLink } from './approvals.ts';
import { abortSca, ownCustomer, walk, walking, whatIsAt } from './walks.ts';

function mustBe(context: CheckContext, expected: string, actual: string | undefined): void {
  context.evidence = context.exchanges.slice(-1);
  if (actual !== undefined) throw new ExpectationFailed(expected, actual);
}

const shown = (value: string | undefined): string => (value === undefined ? 'nothing' : `"${value}"`);

/** What is wrong with a redirect after success, as its name and what it should be; undefined when nothing is. */
function objectionTo(back: ScaReturn, { psu }: CheckContext): readonly [string, string] | undefined {
  if (!isReturnTo(psu.redirectUri, back.address))
    return ['a redirect to the address in TPP-Redirect-URI', `a redirect to ${back.address.split('?')[0]}`];
  if (back.psuId?.toLowerCase() !== psu.id?.toLowerCase())
    return [`psu-id ${psu.id}, which does not change,`, shown(back.psuId)];
  if (back.sessionId !== psu.sessionId)
    return ['tpp-session-id with the TPP-Session-ID of the request', shown(back.sessionId)];
  if (!(psuContexts as readonly (string | undefined)[]).includes(back.context))
    return ['context with PRIVATE or CORPORATE', shown(back.context)];
  return undefined;
}

/** RFC 3986, 3.4: what may stand in a query; a plus sign is a space in forms. */
const isEncoded = (text: string): boolean => /^(?:[\w\-.~!$'()*+,;:@/?]|%[0-9a-f]{2})+$/i.test(text);

function objectionToFailure(back: ScaReturn): readonly [string, string] | undefined {
  if (!/^[1-5]\d\d$/.test(back.status ?? ''))
    return ['status with a number from 100 to 599', shown(back.status)];
  if (!back.code) return ['code with an error code', shown(back.code)];
  const message = encodedParameter(back.address, 'message');
  return isEncoded(message ?? '') ? undefined : ['message with a URL-encoded text', shown(message)];
}

export default suite('Approvals', section('Authentication', 'Redirect after successful SCA'), [
  check({
    id: `RDR-01${suffixes.approvals}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'SCA-03', 'SCA-04'],
    title: 'the redirect after a basket or a cross-border payment was approved is as after every SCA',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a cross-border payment and pass SCA at its link scaRedirect.',
      'Do the same with a signing basket.',
      'Look at the address that the bank redirects to, and at what it carries.',
    ],
    expected: 'a redirect to TPP-Redirect-URI with the psu-id of the PSU, tpp-session-id and context',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const objection = objectionTo(await walk(context, link, ownCustomer(context)), context);
        mustBe(context, `${objection?.[0]} after ${what} was approved`, objection?.[1]);
      }),
  }),
  check({
    id: `RDF-02${suffixes.approvals}`,
    requirement: 'RDF-02',
    others: ['RDF-03', 'RDF-04'],
    title: 'the redirect after the approval of a payment or basket was cancelled says what failed',
    needs: ['sca-unattended', 'create-payments'],
    steps: [
      'Create a cross-border payment and cancel SCA at its link scaRedirect.',
      'Do the same with a signing basket.',
      'Look at what the address carries that the bank redirects to.',
    ],
    expected: 'status with an HTTP status code, code, and message, URL-encoded',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const objection = objectionToFailure(await abortSca(context, link));
        mustBe(context, `${objection?.[0]} after the approval of ${what} was cancelled`, objection?.[1]);
      }),
  }),
  check({
    id: `SCA-02${suffixes.approvals}`,
    requirement: 'SCA-02',
    title: 'the link scaRedirect of a basket, and of a cross-border payment, leads to a page',
    needs: ['create-payments'],
    steps: [
      'Create a cross-border payment and a signing basket.',
      'Open each link scaRedirect as a browser does.',
    ],
    expected: 'an HTML page (2xx)',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const actual = await whatIsAt(context, link);
        mustBe(context, `the link scaRedirect of ${what} to lead to an HTML page (2xx)`, actual);
      }),
  }),
]);
