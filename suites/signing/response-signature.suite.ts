import { check, section, suite } from '../../src/checks/check.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { answersSoFar } from '../../src/checks/samples.ts';
import { verifyResponse } from '../../src/tpp/answer.ts';

export default suite('Response signatures', section('Authentication', 'Transport and signing'), () => [
  check({
    id: 'SIG-03',
    requirement: 'SIG-03',
    title: 'a response that carries a signature carries one that verifies',
    steps: ['Verify the Digest and the Signature of every answer of this run that has one.'],
    expected: 'every signature to verify with the certificate that is sent next to it',
    observes: true,
    async run(context) {
      const signed = (await answersSoFar(context, 'successes', 'refusals'))
        .map((answer) => ({ answer, signature: verifyResponse(answer) }))
        .filter(({ signature }) => signature.state !== 'unsigned');
      context.cases = signed.length;
      if (signed.length === 0) context.note('The bank signs no responses, which is its choice.');
      if (signed.some(({ signature }) => signature.state === 'unknown-key')) {
        context.note(
          'Some responses are signed without their certificate; those signatures were not verified.',
        );
      }
      for (const { answer, signature } of signed) {
        if (signature.state !== 'broken') continue;
        context.evidence = [answer.exchange];
        throw new ExpectationFailed('a signature that verifies', signature.problem);
      }
    },
  }),
]);
