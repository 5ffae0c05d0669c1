import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { answeredOk, describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { isObject } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { responseChecks } from '../payments/response-checks.ts';
import { withoutOwnCustomers } from '../sca/own-customers.ts';

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
  const odd: unknown = answer.json.find((customer) => !isObject(customer));
  if (odd !== undefined)
    throw new ExpectationFailed('an array of customers', `${JSON.stringify(odd)} among them`);
  return answer.json;
}

const memberOf = (customer: unknown, name: string): unknown => (customer as Record<string, unknown>)[name];

const countOf = (customers: readonly unknown[], name: string): number =>
  customers.flatMap((customer) => memberOf(customer, name) ?? []).length;

/** A parameter that leaves out details: the arrays stay. What it brings in does not depend on the other parameter. */
const withSwitch = (
  id: string,
  parameter: string,
  arrays: readonly string[],
  other: string,
  values: readonly string[],
): Check =>
  check({
    id,
    requirement: id,
    title: `the listing with ${parameter} true and false keeps ${arrays.join(' and ')}`,
    needs: ['sandbox'],
    steps: [
      `List the customers with ${parameter}=true, with ${parameter}=false and without it.`,
      ...values.map((value) => `List them with ${parameter}=true and ${other}=${value}.`),
    ],
    expected: `${arrays.join(' and ')} of every customer to be arrays, which may be empty unless others show what there is`,
    async run(context) {
      const listed = async (query: Record<string, string>) => {
        const customers = await listing(context, query);
        const how = Object.entries(query).map(([name, value]) => `${name}=${value}`);
        const text = how.length === 0 ? `without ${parameter}` : `with ${how.join(' and ')}`;
        const missing = arrays.find((name) =>
          customers.some((customer) => !Array.isArray(memberOf(customer, name))),
        );
        // Whom the run has created comes and goes.
        if (missing === undefined)
          return { text, customers: await withoutOwnCustomers(context, customers.filter(isObject)) };
        throw new ExpectationFailed(`${missing} to be an array ${text}`, 'another value, or nothing');
      };
      const whole = await listed({ [parameter]: 'true' });
      mustShow(arrays, whole, await listed({ [parameter]: 'false' }));
      mustShow(arrays, whole, await listed({}));
      for (const value of values)
        mustShow(arrays, await listed({ [parameter]: 'true', [other]: value }), whole);
    },
  });

interface Listing {
  /** `with withAccounts=true` */
  readonly text: string;
  readonly customers: readonly unknown[];
}

/** One listing shows of each kind what another one shows, or at least something; and customers, where another one has any. */
function mustShow(arrays: readonly string[], asked: Listing, other: Listing): void {
  for (const [one, another] of [
    [asked, other],
    [other, asked],
  ] as const)
    if (one.customers.length === 0 && another.customers.length > 0)
      throw new ExpectationFailed(`customers ${one.text}`, `none, but some ${another.text}`);
  const hidden = arrays.find(
    (name) => countOf(asked.customers, name) === 0 && countOf(other.customers, name) > 0,
  );
  if (hidden !== undefined)
    throw new ExpectationFailed(`${hidden} ${asked.text}`, `none, but some ${other.text}`);
}

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

export default suite('Sandbox customers', section('Endpoints', 'GET /v1/sandbox/customers'), () => [
  check({
    id: 'SBX-40',
    requirement: 'SBX-40',
    title: 'the listing of sandbox customers is answered 200 with an array',
    needs: ['sandbox'],
    steps: ['List the customers without parameters, with accounts and agreements, and without both.'],
    expected: 'status 200 with an array',
    async run(context) {
      await listing(context);
      for (const all of ['true', 'false']) await listing(context, { withAccounts: all, withAgreements: all });
    },
  }),
  withSwitch('SBX-41', 'withAccounts', ['accounts', 'cardAccounts'], 'withAgreements', ['false', 'true']),
  withSwitch('SBX-42', 'withAgreements', ['agreements'], 'withAccounts', ['false', 'true']),
  responseChecks({
    body: bodies.sandboxCustomer,
    title: 'a sandbox customer',
    answers: listings,
    valuesIn: ({ json }) => (Array.isArray(json) ? json : []),
  }),
]);
