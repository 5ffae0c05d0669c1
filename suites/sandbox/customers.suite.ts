import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { answeredOk, describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { responseChecks } from '../payments/response-checks.ts';

/** Asks for the listing and demands that it is one. */
async function listing(
  context: CheckContext,
  query: Record<string, string> = {},
): Promise<readonly unknown[]> {
  const answer = await context.call({ operation: 'listSandboxCustomers', query }, {}, 'list customers');
  context.evidence = [answer.exchange];
  if (!answeredOk().met(answer, context.readings))
    throw new ExpectationFailed('status 200', describeAnswer(answer));
  if (!Array.isArray(answer.json)) throw new ExpectationFailed('an array of customers', typeof answer.json);
  return answer.json;
}

const detailsIn = (customer: unknown, arrays: readonly string[]): number =>
  arrays.flatMap((name) => (customer as Record<string, unknown>)[name] ?? []).length;

/** A parameter that leaves out details: the arrays stay. */
const withSwitch = (id: string, parameter: string, arrays: readonly string[], other?: string): Check =>
  check({
    id,
    requirement: id,
    title: `the listing with ${parameter} true and false keeps ${arrays.join(' and ')}`,
    needs: ['sandbox'],
    steps: [
      `List the customers with ${parameter}=true, with ${parameter}=false and without it.`,
      ...(other === undefined ? [] : [`List them with ${parameter}=true and ${other}=true.`]),
    ],
    expected: `${arrays.join(' and ')} of every customer to be arrays, which may be empty`,
    async run(context) {
      const shown: Record<string, number> = {};
      for (const value of ['true', 'false', 'unsaid']) {
        const query = value === 'unsaid' ? {} : { [parameter]: value };
        for (const customer of await listing(context, query)) {
          shown[value] = (shown[value] ?? 0) + detailsIn(customer, arrays);
          const missing = arrays.find((name) => !Array.isArray((customer as Record<string, unknown>)[name]));
          if (missing !== undefined) {
            throw new ExpectationFailed(
              `${missing} to be an array ${value === 'unsaid' ? `without ${parameter}` : `with ${parameter}=${value}`}`,
              'another value, or nothing',
            );
          }
        }
      }
      const where = shown.false ? 'with false' : shown.unsaid ? 'without the parameter' : undefined;
      if (!shown.true && where !== undefined) {
        throw new ExpectationFailed(`details with ${parameter}=true`, `none, but some ${where}`);
      }
      if (other !== undefined) await listing(context, { [parameter]: 'true', [other]: 'true' });
    },
  });

/** The listings that the run has seen, one with every detail and one without any. */
async function listings(context: CheckContext): Promise<readonly Answer[]> {
  for (const all of ['true', 'false']) {
    await context.call(
      { operation: 'listSandboxCustomers', query: { withAccounts: all, withAgreements: all } },
      {},
      `list customers with ${all === 'true' ? 'every detail' : 'none'}`,
    );
  }
  return successes(context, 'listSandboxCustomers');
}

export default suite('Sandbox customers', section('Endpoints', 'GET /v1/sandbox/customers'), [
  check({
    id: 'SBX-40',
    requirement: 'SBX-40',
    title: 'the listing of sandbox customers is answered 200 with an array',
    needs: ['sandbox'],
    steps: ['List the customers without parameters.'],
    expected: 'status 200 with an array',
    async run(context) {
      await listing(context);
    },
  }),
  withSwitch('SBX-41', 'withAccounts', ['accounts', 'cardAccounts']),
  withSwitch('SBX-42', 'withAgreements', ['agreements'], 'withAccounts'),
  responseChecks({
    body: bodies.sandboxCustomer,
    title: 'a sandbox customer',
    answers: listings,
    valuesIn: ({ json }) => (Array.isArray(json) ? json : []),
  }),
]);
