import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { mustAwaitSca } from '../../src/checks/awaiting-sca.ts';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, evidenceOf } from '../../src/checks/context.ts';
import { type Context, type ContextValue, corporate, describeContext } from '../../src/checks/contexts.ts';
import { contextTakenBy, controlBy, mustBeAbleToPay } from '../../src/checks/controls.ts';
import { accepted, describeAnswer, wentThrough } from '../../src/checks/expectation.ts';
import { bodyIn, callIn, subjectIn } from '../../src/checks/in-context.ts';
import {
  doneBefore,
  ExpectationFailed,
  isRefusedRepetition,
  NotApplicable,
} from '../../src/checks/outcomes.ts';
import { drawBody, type Subject } from '../../src/checks/subject.ts';
import { accepts, scopeOf, type Twist } from '../../src/checks/trial.ts';
import { anotherThan, stateOf } from '../../src/payloads/appearance.ts';
import { setAt } from '../../src/payloads/json.ts';
import { textAt } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { type Variation, withHeader } from '../../src/tpp/call.ts';
import { HeaderList, headerValue } from '../../src/tpp/exchange.ts';
import type { RequestDraft } from '../../src/tpp/signing-plan.ts';
import { everyRequest, initiations, type NamedSubject, payments } from '../subjects.ts';

/** One way in which a correct TPP may write something that can be written in several. */
interface Form {
  /** The end of a sentence: `header names are in lower case`. Empty for the way that everybody writes it. */
  readonly label: string;
  /** A bank may not offer it, which TRN-12 tells. */
  readonly isOptional?: true;
  readonly change?: (draft: RequestDraft) => void;
  /** After signing: what is signed has names in lower case in any case. */
  readonly rename?: (name: string) => string;
}

const usual: Form = { label: '' };

const named = (label: string, rename: (name: string) => string): Form => ({ label, rename });
const setting = (header: string, label: string, write: (usual: string) => string): Form => ({
  label,
  change: ({ headers }) => {
    const value = headers.get(header);
    if (value !== undefined) headers.set(header, write(value));
  },
});

const mixed = (name: string): string =>
  [...name].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');

/** RFC 7230, 3.2: field names are case-insensitive, and HTTP/2 has them in lower case. */
const headerNames: readonly Form[] = [
  usual,
  named('header names are in lower case', (name) => name.toLowerCase()),
  named('header names are in upper case', (name) => name.toUpperCase()),
  named('header names are in mixed case', mixed),
];

const contentTypes: readonly Form[] = [
  usual,
  ...['application/json; charset=UTF-8', 'application/json;charset=utf-8'].map((type) =>
    setting('Content-Type', `Content-Type is ${type}`, () => type),
  ),
];

/**
 * Those of a root name server: a bank may look whether an address can be that of a PSU, and nobody has one of those for
 * documentation (RFC 3849, RFC 5737).
 */
const fromAddress = (address: string): Form =>
  setting('PSU-IP-Address', `PSU-IP-Address is ${address}`, () => address);
const addresses: readonly Form[] = [usual, fromAddress('198.41.0.4')];
const addressesOfIpv6: readonly Form[] = [
  fromAddress('2001:503:ba3e::2:30'),
  fromAddress('2001:0503:BA3E:0000:0000:0000:0002:0030'),
];

const accepting = (codings: string): Form => ({
  label: `Accept-Encoding is ${codings}`,
  change: ({ headers }) => headers.set('Accept-Encoding', codings),
});
const encodings: readonly Form[] = [usual, accepting('gzip'), accepting('gzip, deflate, br')];

/** RFC 7231, 5.3.2, as the libraries of TPPs write it. */
const mediaRanges: readonly Form[] = [
  usual,
  ...['application/json, text/plain, */*', 'application/json;q=0.9,*/*;q=0.8'].map((ranges) => ({
    label: `Accept is ${ranges}`,
    change: ({ headers }: RequestDraft) => headers.set('Accept', ranges),
  })),
];

const redirecting = (label: string, addressOf: (usual: string) => string): Form => ({
  ...setting('TPP-Redirect-URI', label, addressOf),
  isOptional: true,
});

const withQuery = (address: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}state=%2Forders%2F${stateOf(address)}`;

/** What TPP-Redirect-URI may be next to the address of a page. */
const redirectForms: readonly Form[] = [
  redirecting('TPP-Redirect-URI has a query, with percent-encoding', withQuery),
  redirecting('TPP-Redirect-URI has a fragment', (address) => `${address.split('#')[0]}#after-sca`),
  redirecting('TPP-Redirect-URI has the scheme of an app', () => 'no.example.budget://after-sca'),
];

/** X-Request-ID as TPPs choose it that do not take a UUID; the table says string, and UUID where it means one. */
const chosenIds: readonly Form[] = [
  setting(
    'X-Request-ID',
    'X-Request-ID is a text that is longer than a UUID',
    () => `transfer-${randomUUID()}`,
  ),
  setting('X-Request-ID', 'X-Request-ID is a number', () => String(randomInt(1e11, 1e12))),
];

/** What can be written in several ways, each with its ways; the usual one first. */
const formsByQuestion = {
  headerNames,
  contentTypes,
  addresses,
  encodings,
  redirects: [usual, ...redirectForms],
  mediaRanges,
} as const satisfies Readonly<Record<string, readonly Form[]>>;

/** A request in all of these forms at once. */
function inForms(forms: readonly Form[]): Variation {
  const renames = forms.flatMap(({ rename }) => rename ?? []);
  const afterSigning: Variation['afterSigning'] = ({ headers }) => {
    const lines = new HeaderList(headers.lines()).lines();
    for (const rename of renames) {
      for (const [name] of lines) headers.remove(name);
      for (const [name, value] of lines) headers.add(rename(name), value);
    }
  };
  return {
    beforeSigning: (draft) => {
      for (const { change } of forms) change?.(draft);
    },
    // A step that changes nothing would be taken for a request without anything to judge, and sent a second time.
    ...(renames.length === 0 ? {} : { afterSigning }),
  };
}

const questions = Object.values(formsByQuestion);
const mostForms = Math.max(...questions.map(({ length }) => length));

/** So many cases meet every form at least once; further ones are drawn freely. */
const drawnCases = 4;

/** Each case has one form of each question. Those that cover all forms begin at another place with every seed. */
function casesOf({ seed, run }: CheckContext, { isAskedElsewhere }: Subject): readonly (readonly Form[])[] {
  const covering = Array.from({ length: mostForms }, (_, round) =>
    questions.map((forms, place) => forms[(round + (seed >> place)) % forms.length] as Form),
  );
  if (isAskedElsewhere === true) return covering;
  const drawn = fc.sample(fc.tuple(...questions.map((forms) => fc.constantFrom<Form>(...forms))), {
    seed,
    numRuns: Math.min(drawnCases, run.runs),
  });
  return [...covering, ...drawn];
}

const isUnusual = ({ label }: Form): boolean => label !== '';

const told = (forms: readonly Form[]): string =>
  forms
    .filter(isUnusual)
    .map(({ label }) => label)
    .join(', and ');

/** What is wrong with the coding of an answer; undefined when nothing is, or it has none. */
function wrongCoding({ headers, bytes, wireBytes, exchange }: Answer): string | undefined {
  const coding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || bytes.length === 0) return undefined;
  const offered = headerValue(exchange.request.headers, 'Accept-Encoding');
  // Without the header any coding will do (RFC 7231, 5.3.4).
  // An older name of the same coding is one for it (RFC 9110, 8.4.1.3).
  if (offered !== undefined && !offered.includes(coding === 'x-gzip' ? 'gzip' : coding))
    return `${coding}, which was not offered`;
  return wireBytes === bytes ? `a body that is said to be ${coding} and cannot be unpacked` : undefined;
}

/** A kind of request, of a private PSU or of a company. */
interface Asked {
  readonly of: Subject;
  readonly values: Context;
}

/** Why a request in these forms was not taken; undefined when it was. */
async function objection(
  context: CheckContext,
  { of, values }: Asked,
  forms: readonly Form[],
  seed: number,
): Promise<{ readonly answer: Answer; readonly actual: string } | undefined> {
  const body = bodyIn(values, drawBody(context, of, seed), context);
  const call = await subjectIn(values, of).call(context, body);
  const answer = await context.call(callIn(values, call, context), inForms(forms), told(forms) || 'control');
  // A payment or a basket that was lost may have been created the first time.
  if (isRefusedRepetition(answer)) throw doneBefore(answer);
  mustAwaitSca(context, answer);
  const actual = wentThrough(answer, context.readings) ? wrongCoding(answer) : describeAnswer(answer);
  return actual === undefined ? undefined : { answer, actual };
}

/** One case. What a case is refused for is looked for form by form; what a bank need not offer is then left out. */
async function judgeCase(
  context: CheckContext,
  asked: Asked,
  forms: readonly Form[],
  seed: number,
): Promise<void> {
  const whole = await objection(context, asked, forms, seed);
  if (whole === undefined) return;
  context.seemsBroken = true;
  await mustBeAbleToPay(context, asked.of, whole.answer);
  const taken = await contextTakenBy(context, asked.of, asked.values);
  if (taken.length < asked.values.length) return judgeCase(context, { ...asked, values: taken }, forms, seed);
  for (const form of forms.filter((one) => isUnusual(one) && one.isOptional !== true)) {
    const alone = await objection(context, asked, [form], seed + 1);
    if (alone !== undefined) fail(context, asked, [form], alone);
  }
  const demanded = forms.filter(({ isOptional }) => isOptional !== true);
  const together =
    demanded.length < forms.length ? await objection(context, asked, demanded, seed + 2) : whole;
  if (together !== undefined) fail(context, asked, demanded, together);
  context.note(
    `Refused, and for this alone: ${told(forms.filter(({ isOptional }) => isOptional === true))}.`,
  );
}

function fail(
  context: CheckContext,
  { values }: Asked,
  forms: readonly Form[],
  { answer, actual }: { readonly answer: Answer; readonly actual: string },
): never {
  context.evidence = evidenceOf(context, answer.exchange);
  const sent = values.length === 0 ? '' : `, sent ${describeContext(values)}`;
  throw new ExpectationFailed(`${accepted().text} when ${told(forms)}${sent}`, actual);
}

const acceptsEveryForm = ({ suffix, of }: Pick<NamedSubject, 'suffix' | 'of'>): Check =>
  check({
    id: `TRN-14${suffix}`,
    requirement: 'TRN-14',
    ...scopeOf(of),
    needs: of.referredTo?.needs ?? [],
    title: `${of.title} is accepted in every form that a correct TPP may give it`,
    steps: [
      `Send ${of.title} as most TPPs do, as control: it must go through.`,
      'Send it with names of headers in other cases, with a charset in Content-Type, with another address of the PSU, asking for packed answers, and with other kinds of TPP-Redirect-URI, several of these at once; every other time for a company, where the target file names one.',
      'Where such a request is refused, send it with each of these alone, to tell for which. TPP-Redirect-URI is not held against the bank here.',
      'Unpack answers that are packed.',
    ],
    expected: `${accepted().text}, with an answer that can be read`,
    async run(context) {
      await controlBy(context, of);
      const cases = casesOf(context, of);
      context.cases = cases.length;
      const company = corporate.fits(of, context) ? [corporate] : [];
      // Every other one, so that both meet most forms; of those that come one after the other each meets one.
      for (const [index, forms] of cases.entries())
        await judgeCase(context, { of, values: index % 2 === 0 ? [] : company }, forms, 10 * (index + 1));
    },
  });

/** An address as plain as the usual one, of another host. */
const elsewhere = redirecting(
  'TPP-Redirect-URI is another plain address',
  () => 'https://tpp2.example/after-sca',
);

/** Which addresses a TPP may give is not said: a bank that takes registered ones only says nothing of their form. */
const unlessRegistered = (of: Subject, taking: Check): Check => ({
  ...taking,
  steps: [
    ...taking.steps,
    'Where one is refused, send it with another plain address, to tell whether TPPs register them.',
  ],
  async run(context) {
    try {
      await taking.run(context);
    } catch (error) {
      if (!(error instanceof ExpectationFailed)) throw error;
      const refusal = await objection(context, { of, values: [] }, [elsewhere], 1);
      if (refusal === undefined) throw error;
      throw new NotApplicable(
        `Another plain address is answered ${refusal.actual} as well: the bank takes values of TPP-Redirect-URI that are registered, and psu.redirectUri of the target file is one of them.`,
      );
    }
  },
});

/** A TPP that is like that of the run in nothing but certificate, PSU and accounts; nobody goes where it leads. */
const asAnotherTpp: Form = {
  label: 'another client asks from another address, for another page',
  change: ({ headers }) => {
    const given = (name: string): string => headers.get(name) ?? '';
    const other = anotherThan({
      userAgent: given('User-Agent'),
      ipAddress: given('PSU-IP-Address'),
      redirectUri: given('TPP-Redirect-URI'),
    });
    headers.set('User-Agent', other.userAgent);
    headers.set('PSU-IP-Address', other.ipAddress);
    headers.set('TPP-Redirect-URI', other.redirectUri);
  },
};

/** What a bank may be particular about is as usual; the order of headers is that of the client. */
const byAnotherClient = setting(
  'User-Agent',
  'another HTTP client asks',
  (userAgent) => anotherThan({ userAgent }).userAgent,
);

/** Faults against rules of several kinds, each of which holds for every client. */
const faults: readonly (Form & Pick<ContextValue, 'body'>)[] = [
  {
    label: 'the amount has a digit too many behind the point',
    body: (body) => {
      const amount = textAt(body, 'instructedAmount', 'amount') ?? '';
      return setAt(body, ['instructedAmount', 'amount'], `${amount}5`);
    },
  },
  { label: 'creditorName is too long', body: (body) => ({ ...body, creditorName: 'Ola Moen'.repeat(9) }) },
  { label: 'X-Request-ID is missing', change: ({ headers }) => headers.remove('X-Request-ID') },
  setting('Date', 'Date is an hour old', (date) => new Date(Date.parse(date) - 3_600_000).toUTCString()),
];

/** The first of the appearances that the bank takes without any fault; undefined where it takes neither. */
async function takenFrom(context: CheckContext, asked: Asked): Promise<Form | undefined> {
  for (const [index, form] of [asAnotherTpp, byAnotherClient].entries()) {
    const refusal = await objection(context, asked, [form], 20 + index);
    if (refusal === undefined) return form;
    await mustBeAbleToPay(context, asked.of, refusal.answer);
    context.note(`Refused when ${form.label}: ${refusal.actual}.`);
  }
  return undefined;
}

const refusesFromEveryClient = ({ suffix, of }: Pick<NamedSubject, 'suffix' | 'of'>): Check =>
  check({
    id: `TRN-18${suffix}`,
    requirement: 'TRN-18',
    ...scopeOf(of),
    needs: of.referredTo?.needs ?? [],
    title: `${of.title} with a fault is refused from every client alike`,
    steps: [
      `Send ${of.title} without any fault as this run does, and as another TPP would: with another User-Agent, headers in another order, another address of the PSU and another TPP-Redirect-URI. Where the last two are refused, only the first two are changed.`,
      `Send it in that way where ${faults.map(({ label }) => label).join('; ')}, as far as it has that.`,
      'Where one is taken, send it with the same fault as this run does.',
    ],
    expected: 'no fault that is refused from the usual client is taken from the other',
    async run(context) {
      await controlBy(context, of);
      const form = await takenFrom(context, { of, values: [] });
      if (form === undefined)
        throw new NotApplicable(
          'The bank takes no correct request of another HTTP client, which TRN-19 tells.',
        );
      const own = faults.filter(({ body }) => body === undefined || of.hasNoBody !== true);
      context.cases = own.length;
      for (const [index, { body, ...fault }] of own.entries()) {
        const { label } = fault;
        const values: Context =
          body === undefined ? [] : [{ dimension: 'fields', label, fits: () => true, body }];
        const ask = (forms: readonly Form[], seed: number) => objection(context, { of, values }, forms, seed);
        // A bank that asks a new client for SCA has not looked at the fault yet.
        const isTaken = async (seed: number): Promise<boolean> =>
          (await ask([form, fault], seed)) === undefined &&
          (context.exchanges.at(-1)?.response?.status ?? 500) < 300;
        if (!(await isTaken(30 + index))) continue;
        const usual = await ask([fault], 35 + index);
        // Taken from everybody, it is a matter of the check on that rule.
        if (usual === undefined || usual.answer.asksForSca) continue;
        await mustBeAbleToPay(context, of, usual.answer);
        if (!(await isTaken(40 + index))) continue;
        const taken = context.exchanges.at(-1) ?? usual.answer.exchange;
        context.evidence = [usual.answer.exchange, taken];
        throw new ExpectationFailed(
          `${usual.actual} where ${label}, as from the usual client, also when ${form.label}`,
          `${taken.response?.status}`,
        );
      }
    },
  });

const takesFromAnyClient = ({ suffix, of }: Pick<NamedSubject, 'suffix' | 'of'>): Check =>
  check({
    id: `TRN-19${suffix}`,
    requirement: 'TRN-19',
    ...scopeOf(of),
    needs: of.referredTo?.needs ?? [],
    title: `${of.title} is taken from another HTTP client`,
    steps: [
      `Send ${of.title} as this run does, as control: it must go through.`,
      'Send it with another User-Agent, and its headers in another order.',
    ],
    expected: accepted().text,
    async run(context) {
      await controlBy(context, of);
      const refusal = await objection(context, { of, values: [] }, [byAnotherClient], 50);
      if (refusal === undefined) return;
      await mustBeAbleToPay(context, of, refusal.answer);
      fail(context, { of, values: [] }, [byAnotherClient], refusal);
    },
  });

/** Payments, and a request that reads for banks without them. */
const ofAnyClient = everyRequest.filter(({ of }) => of.product !== undefined || of.referredTo !== undefined);

/** Nothing comes of it but a link, which nobody follows: that ends no session. */
const inNewSession = (of: Subject, sessionId: () => string): Subject => ({
  ...of,
  title: `${of.title} in a new session`,
  call: async (context, body) => {
    const call = await of.call(context, body);
    return { ...call, psu: { ...(call.psu ?? context.psu), sessionId: sessionId() } };
  },
});

/** Each form of a header by itself. */
const oneByOne = (forms: readonly Form[], header: string): readonly Twist[] =>
  forms.map((form) => ({ label: form.label, points: header, request: inForms([form]) }));

export default suite(
  'Requests as correct TPPs write them',
  section('Endpoints', 'Common request headers'),
  () => [
    everyRequest.map(acceptsEveryForm),
    ofAnyClient.map(refusesFromEveryClient),
    ofAnyClient.map(takesFromAnyClient),
    initiations.map(({ suffix, of }) =>
      unlessRegistered(
        of,
        accepts({
          id: `TRN-12${suffix}`,
          requirement: 'TRN-12',
          title: `${of.title} is accepted with the address of an app, with a query and with a fragment in TPP-Redirect-URI`,
          of,
          twists: oneByOne(redirectForms, 'TPP-Redirect-URI'),
          cases: 1,
        }),
      ),
    ),
    initiations.map(({ suffix, of }) =>
      accepts({
        id: `TRN-17${suffix}`,
        requirement: 'TRN-17',
        title: `${of.title} is accepted with an IPv6 address in PSU-IP-Address`,
        of,
        twists: oneByOne(addressesOfIpv6, 'PSU-IP-Address'),
        cases: 1,
      }),
    ),
    everyRequest.map(({ suffix, of }) =>
      accepts({
        id: `TRN-15${suffix}`,
        requirement: 'TRN-15',
        title: `${of.title} is accepted with an X-Request-ID that is no UUID`,
        of,
        twists: oneByOne(chosenIds, 'X-Request-ID'),
        cases: 1,
      }),
    ),
    payments.map(({ suffix, of }) =>
      accepts({
        id: `TRN-16${suffix}`,
        requirement: 'TRN-16',
        title: `${of.title} is accepted in a new session whose TPP-Session-ID is no UUID`,
        of: inNewSession(of, randomUUID),
        twists: [
          {
            label: 'TPP-Session-ID is a text that is longer than a UUID',
            points: 'TPP-Session-ID',
            request: () => withHeader('TPP-Session-ID', `tpp_~.${randomUUID()}`),
          },
        ],
        fixed: ['psu'],
        cases: 1,
      }),
    ),
  ],
);
