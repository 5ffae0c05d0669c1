import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { handshake } from '../../src/tpp/connection-probe.ts';

const shake = ({ target }: CheckContext, version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
  handshake(target.baseUrl, version, target.tls, target.pace.timeoutMs);

export default suite('TLS', section('Authentication', 'Transport and signing'), [
  check({
    id: 'TLS-01',
    requirement: 'TLS-01',
    title: 'TLS 1.2 or 1.3 is offered',
    needs: ['https'],
    steps: ['Connect with TLS 1.2 alone and with TLS 1.3 alone.'],
    expected: 'at least one of the two handshakes to succeed',
    async run(context) {
      const answers = await Promise.all([shake(context, 'TLSv1.2'), shake(context, 'TLSv1.3')]);
      if (answers.some(({ outcome }) => outcome === 'connected')) return;
      if (answers.some(({ outcome }) => outcome === 'unreachable'))
        throw new Inconclusive(answers.map(({ said }) => said).join('; '));
      throw new ExpectationFailed(
        'a handshake with TLS 1.2 or 1.3',
        answers.map(({ said }) => said).join('; '),
      );
    },
  }),
  check({
    id: 'TLS-02',
    requirement: 'TLS-02',
    title: 'TLS 1.0 and 1.1 are refused',
    needs: ['https'],
    steps: [
      'Connect with TLS 1.2 or 1.3, as control: it must succeed.',
      'Connect with TLS 1.0 alone and with TLS 1.1 alone.',
    ],
    expected: 'both handshakes to fail',
    async run(context) {
      const controls = await Promise.all([shake(context, 'TLSv1.2'), shake(context, 'TLSv1.3')]);
      if (!controls.some(({ outcome }) => outcome === 'connected')) {
        throw new Inconclusive(`The control was refused: ${controls.map(({ said }) => said).join('; ')}`);
      }
      for (const version of ['TLSv1', 'TLSv1.1'] as const) {
        const { outcome, said } = await shake(context, version);
        if (outcome === 'connected')
          throw new ExpectationFailed(`the handshake with ${version} to fail`, said);
        if (outcome === 'unreachable') throw new Inconclusive(said);
      }
    },
  }),
]);
