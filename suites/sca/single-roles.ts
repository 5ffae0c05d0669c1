import type { CheckContext } from '../../src/checks/context.ts';
import {
  accepted,
  asksForSca,
  describeAnswer,
  expectAnswer,
  refused,
  wentThrough,
} from '../../src/checks/expectation.ts';
import { aPayment, drawCall, offeredProduct } from '../../src/checks/subject.ts';
import type { SigningIdentity } from '../../src/signing/identity.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { newSession } from './walks.ts';

/**
 * A TPP has a registered role, that of an AISP or that of a PISP (Transport and signing): an AISP need be nothing else to
 * read account data, nor a PISP to create payments. A bank may know its TPPs by more than who vouches for them, so that it
 * has to take the same certificate elsewhere before its refusal counts.
 */

const notTaken = ({ name }: SigningIdentity, answer: Answer): string =>
  `The certificate "${name}" was answered ${describeAnswer(answer)}, and nothing shows that the bank takes it elsewhere.`;

/** Accounts are not shown to it, but SCA is asked for. */
export async function mustAskAispAlone(context: CheckContext): Promise<void> {
  const identity = await context.target.identities.aispOnly?.();
  if (identity === undefined) return;
  const send = (operation: 'listAccounts' | 'startUserFlow' | 'listAgreements'): Promise<Answer> =>
    context.call(
      { operation, psu: newSession(context) },
      { signing: { identity } },
      'with the AISP role alone',
    );
  const answer = await send('listAccounts');
  if (!refused().met(answer, context.readings)) return;
  const { exchange } = answer;
  const elsewhere = [await send('startUserFlow'), await send('listAgreements')];
  if (!elsewhere.some((other) => other.asksForSca)) return context.note(notTaken(identity, answer));
  context.evidence = [exchange, ...elsewhere.map((other) => other.exchange)];
  expectAnswer(context, answer, asksForSca(), 'for accounts with a certificate that has the AISP role alone');
}

/** What the bank has just taken a certificate for is the control, and that it knows the PSU with it. */
export async function mustPayAsPispAlone(context: CheckContext, identity: SigningIdentity): Promise<void> {
  const product = offeredProduct(context);
  if (context.missing('create-payments') !== undefined || context.unjudged([product.profile]) !== undefined)
    return;
  const answer = await context.call(
    await drawCall(context, aPayment(product)),
    { signing: { identity } },
    'with the PISP role alone',
  );
  if (!refused().met(answer, context.readings)) return;
  const known = await context.call({ operation: 'listAgreements' }, { signing: { identity } }, 'control');
  const control = await context.call(await drawCall(context, aPayment(product)), {}, 'control');
  if (!known.isSuccess || !wentThrough(control, context.readings))
    return context.note(notTaken(identity, answer));
  context.evidence = [answer.exchange, known.exchange, control.exchange];
  context.showing(product.requirements.created, () =>
    expectAnswer(
      context,
      answer,
      accepted(),
      'for a payment with a certificate that has the PISP role alone',
    ),
  );
}
