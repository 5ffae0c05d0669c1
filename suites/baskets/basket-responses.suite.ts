import { section, suite } from '../../src/checks/check.ts';
import { successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { everCreated } from '../payments/ever-created.ts';
import { bodyOf, responseChecks } from '../payments/response-checks.ts';

export default suite(
  'Signing basket responses',
  section('Resources and their fields', 'Signing basket'),
  () => [
    responseChecks({
      body: bodies.basketResponse,
      title: 'a signing basket response',
      answers: (context) => successes(context, 'createSigningBasket'),
      valuesIn: bodyOf,
    }),
    everCreated('BSK-10', 'createSigningBasket', 'signing basket'),
  ],
);
