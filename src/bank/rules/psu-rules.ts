import type { BankDesign } from '../design/design.ts';
import type { PsuStanding, Rule } from '../design/route.ts';
import { ruleMaker } from '../design/rule.ts';
import { redirectUriIsAnAddress } from '../sca/psu-rules.ts';

/** Whether the PSU is known and has passed SCA, for requests that create a payment or a basket. */
export function psuRules(design: BankDesign): readonly Rule[] {
  const rule = ruleMaker(design.refusals);
  const needsSca = (
    requirement: string,
    name: string,
    standing: PsuStanding['standing'],
    text: string,
    also: readonly string[],
  ): Rule =>
    rule(
      requirement,
      name,
      standing === 'session-expired' ? 'scaExpired' : 'sca',
      (request, state) =>
        state.psus.standingOf(request, state).standing === standing
          ? {
              text,
              path: 'PSU-ID',
              links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
            }
          : undefined,
      { also },
    );
  return [
    redirectUriIsAnAddress,
    rule('COR-01', 'a corporate request has PSU-Corporate-ID', 'corporate', (request, state) =>
      design.lacksCorporateId(request, state)
        ? { text: 'A corporate request carries PSU-Corporate-ID.', path: 'PSU-Corporate-ID' }
        : undefined,
    ),
    needsSca('ERR-03', 'the PSU is known', 'unknown-psu', 'The PSU is not known: SCA is needed.', []),
    needsSca(
      'SES-02',
      'SCA was passed within this TPP-Session-ID',
      'no-session',
      'SCA has not been passed within this TPP-Session-ID.',
      ['ERR-03', 'SES-03'],
    ),
    needsSca('SES-01', 'the session is at most an hour old', 'session-expired', 'The session has expired.', [
      'ERR-03',
    ]),
  ];
}
