import { creations } from '../../spec/products.ts';
import { signingRequirements } from '../../spec/requirements/signing.ts';
import {
  type DesignChange,
  knowingSessions,
  serves,
  withRefusalAnswers,
  withRefusalKind,
  withRules,
} from '../design/design-changes.ts';
import { type RefusalKind, refusalKinds } from '../design/refusal-kinds.ts';
import type { BankAnswer, BankOperation, Refusal, Rule } from '../design/route.ts';
import { type Dialect, dialect, independent } from './dialect.ts';

/** What is not offered is told by 404 and 405 (RFC 9110): another status would say that it is there. */
const notOffered: readonly RefusalKind[] = ['pathUnknown', 'methodUnknown'];

/** Kinds whose status the bank may choose. */
const free = (Object.keys(refusalKinds) as RefusalKind[]).filter(
  (kind) => !('fixedBy' in refusalKinds[kind]) && !notOffered.includes(kind),
);

const allAnswered =
  (status: number): DesignChange =>
  (design) =>
    free.reduce((changed, kind) => withRefusalKind(kind, { status })(changed), design);

const statuses: readonly Dialect[] = [400, 403, 404, 406, 409, 415, 422, 451].map((status) =>
  dialect(`statuses/${status}`, `refuses with ${status} wherever it may choose`, allAnswered(status)),
);

/** What servers answer that hold each fault to be of another kind. */
const kindsOfFaults = [
  400, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 417, 418, 422, 423, 424, 428, 431,
];

const eachOfItsOwn: DesignChange = (design) =>
  free.reduce(
    (changed, kind, place) =>
      withRefusalKind(kind, { status: kindsOfFaults[(place * 7) % kindsOfFaults.length] ?? 400 })(changed),
    design,
  );

const shown: readonly BankOperation[] = [...creations, 'createSigningBasket', 'listSandboxCustomers'];

const asksWho = (rule: Rule): boolean => rule.asksWho === true;

const ofSigning: ReadonlySet<string> = new Set(signingRequirements.map(({ id }) => id));
const isOfSigning = ({ requirement }: Rule): boolean => ofSigning.has(requirement);

const ordered = (order: (rules: readonly Rule[]) => readonly Rule[]): DesignChange =>
  withRules((operation, rules) =>
    shown.includes(operation)
      ? [...rules.filter(asksWho), ...order(rules.filter((rule) => !asksWho(rule)))]
      : rules,
  );

const orders: readonly Dialect[] = [
  dialect(
    'order/reversed',
    'checks everything in the opposite order',
    ordered((rules) => rules.toReversed()),
  ),
  dialect(
    'order/body-first',
    'checks headers and body before the signature',
    ordered((rules) => [...rules.filter((rule) => !isOfSigning(rule)), ...rules.filter(isOfSigning)]),
  ),
  dialect(
    'order/alphabetical',
    'checks everything in the order of requirement ids',
    ordered((rules) => rules.toSorted((a, b) => a.requirement.localeCompare(b.requirement))),
  ),
];

/** The session that a newer one has ended is refused without a link: it is over, whatever SCA would bring. */
const endedWithoutLink: DesignChange = knowingSessions((wasPassed) =>
  withRules((_, rules) =>
    rules.map((rule) =>
      serves(rule, 'SES-03')
        ? {
            ...rule,
            refuses: (request, state) => {
              const refusal = rule.refuses(request, state);
              if (refusal === undefined || !wasPassed(request)) return refusal;
              const { links: _, headers: __, ...bare } = refusal;
              return { ...bare, status: 403, code: 'SCA_INVALID' };
            },
          }
        : rule,
    ),
  ),
);

export const refusalDialects: readonly Dialect[] = [
  ...statuses,
  dialect('statuses/many', 'refuses with another status for each kind of fault', eachOfItsOwn),
  independent(
    'statuses/certificate-401',
    'answers 401 to a certificate that it does not take, without a scaRedirect link',
    withRefusalKind('certificate', { status: 401 }),
    withRefusalKind('role', { status: 401 }),
    withRefusalKind('certificateUnreadable', { status: 401 }),
  ),
  independent(
    'statuses/clock-401',
    'answers 401 to a Date that is off',
    withRefusalKind('clock', { status: 401 }),
  ),
  ...orders,
  independent(
    'sessions/ended-403',
    'answers 403 without a link in a session that a newer one has ended',
    endedWithoutLink,
  ),
];

/**
 * Another error body. The link to SCA and the code of a mixed basket are demanded, so those refusals keep theirs, unless
 * the body tells the code in its own way.
 */
const erring = (answerTo: (refusal: Refusal) => BankAnswer, tellsCode = false): DesignChange =>
  withRefusalAnswers((answer, refusal) => {
    const isDemanded =
      refusal.links !== undefined || (refusal.code === 'REFERENCE_MIX_INVALID' && !tellsCode);
    return isDemanded
      ? answer
      : { ...(refusal.headers === undefined ? {} : { headers: refusal.headers }), ...answerTo(refusal) };
  });

const withBody = (answer: BankAnswer, body: object): BankAnswer => ({
  ...answer,
  body: { ...Object(answer.body), ...body },
});

export const errorBodyDialects: readonly Dialect[] = [
  dialect(
    'errors/problem-json',
    'describes errors as RFC 7807 does',
    erring(
      ({ status, code, text }) => ({
        status,
        text: {
          type: 'application/problem+json',
          content: JSON.stringify({ type: 'about:blank', title: code, status, detail: text }),
        },
      }),
      true,
    ),
  ),
  dialect(
    'errors/problem-type',
    'describes errors as RFC 7807 does, each by the address of its type alone',
    erring(
      ({ status, code, text }) => ({
        status,
        text: {
          type: 'application/problem+json',
          content: JSON.stringify({ type: `https://bank.example/errors/${code}`, title: text, status }),
        },
      }),
      true,
    ),
  ),
  dialect(
    'errors/plain-text',
    'describes errors in plain text',
    erring(({ status, text }) => ({ status, text: { type: 'text/plain; charset=utf-8', content: text } })),
  ),
  dialect(
    'errors/html',
    'stands behind a gateway that describes errors in HTML',
    erring(({ status }) => ({
      status,
      text: { type: 'text/html', content: `<html><h1>${status}</h1></html>` },
    })),
  ),
  dialect(
    'errors/some-html',
    'describes in HTML what its gateway refuses, which is headers, and the rest in JSON',
    withRefusalAnswers((answer, { status, code, links, headers }) =>
      code !== 'HTTP_HEADER_REQUIRED' || links !== undefined
        ? answer
        : {
            status,
            ...(headers === undefined ? {} : { headers }),
            text: { type: 'text/html', content: `<html><h1>${status}</h1></html>` },
          },
    ),
  ),
  dialect(
    'errors/empty',
    'sends errors without a body',
    erring(({ status }) => ({ status })),
  ),
  dialect(
    'errors/empty-object',
    'sends an empty object with its errors',
    erring(({ status }) => ({ status, body: {} })),
  ),
  dialect(
    'errors/no-messages',
    'sends an empty list of messages',
    erring(({ status }) => ({ status, body: { tppMessages: [] } })),
  ),
  dialect(
    'errors/own-shape',
    'describes errors in a shape of its own',
    erring(
      ({ status, code, text }) => ({
        status,
        body: { error: { id: 17, kind: code, reason: text, trace: ['a', 'b'] } },
      }),
      true,
    ),
  ),
  dialect(
    'errors/message',
    'describes errors by a message alone, as gateways do',
    erring(({ status, text }) => ({ status, body: { message: text } })),
  ),
  dialect(
    'errors/array',
    'describes errors as an array',
    erring(({ status, code, text }) => ({ status, body: [{ code, text }] })),
  ),
  dialect(
    'errors/minimal',
    'describes errors by category and code alone',
    erring(({ status, code }) => ({ status, body: { tppMessages: [{ category: 'ERROR', code }] } })),
  ),
  dialect(
    'errors/one-code',
    'knows one code for all errors',
    erring(({ status }) => ({
      status,
      body: { tppMessages: [{ category: 'ERROR', code: 'BAD_REQUEST', text: 'No.' }] },
    })),
  ),
  dialect(
    'errors/longest-text',
    'describes errors in 512 characters',
    erring(({ status, code }) => ({
      status,
      body: { tppMessages: [{ category: 'ERROR', code, text: 'ø'.repeat(512) }] },
    })),
  ),
  dialect(
    'errors/many-messages',
    'tells every error with warnings next to it',
    withRefusalAnswers((answer, { code, text }) =>
      withBody(answer, {
        tppMessages: [
          { category: 'WARNING', code: 'SYSTEM_ERROR' },
          {
            category: 'ERROR',
            code,
            text,
            path: '',
            severity: 3,
            help: { href: 'https://bank.example/help' },
          },
        ],
      }),
    ),
  ),
  dialect(
    'errors/links-only',
    'asks for SCA with nothing but the link',
    withRefusalAnswers((answer, { links }) =>
      links === undefined ? answer : { ...answer, body: { _links: links } },
    ),
  ),
  dialect(
    'errors/norwegian',
    'tells errors in Norwegian, with a path as JSON Pointer has it',
    withRefusalAnswers((answer, { code, path, links }) => ({
      ...answer,
      body: {
        tppMessages: [
          {
            category: 'ERROR',
            code,
            ...(path === undefined ? {} : { path: `/${path.replaceAll('.', '/')}` }),
            text: 'Forespørselen ble avvist: «feltet» er ikke gyldig på nåværende tidspunkt – prøv igjen.',
          },
        ],
        ...(links === undefined ? {} : { _links: links }),
      },
    })),
  ),
  dialect(
    'errors/rich',
    'adds members of its own to every error',
    withRefusalAnswers((answer) =>
      withBody(answer, {
        timestamp: '2026-03-03T10:00:00+00:00',
        traceId: 'a1',
        errors: [],
        status: answer.status,
      }),
    ),
  ),
];
