import { creations } from '../../spec/products.ts';
import { signingRequirements } from '../../spec/requirements/signing.ts';
import {
  addingToErrors,
  answeringFaults,
  erring,
  erringByProblem,
  erringWith,
  inHtml,
} from '../design/answer-changes.ts';
import {
  knowingSessions,
  onRefusal,
  serves,
  withRefusalAnswers,
  withRules,
} from '../design/design-changes.ts';
import { type RefusalKind, refusalKinds } from '../design/refusal-kinds.ts';
import type { BankOperation, Rule } from '../design/route.ts';
import { itself, type Row, rows, topic } from './dialect.ts';

/** What is not offered is told by 404 and 405 (RFC 9110): another status would say that it is there. */
const notOffered: readonly RefusalKind[] = ['pathUnknown', 'methodUnknown'];

/** Kinds whose status the bank may choose. */
const free = (Object.keys(refusalKinds) as RefusalKind[]).filter(
  (kind) => !('fixedBy' in refusalKinds[kind]) && !notOffered.includes(kind),
);

const manyStatuses = [
  400, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 417, 418, 422, 423, 424, 428, 431,
];

const shown: readonly BankOperation[] = [...creations, 'createSigningBasket', 'listSandboxCustomers'];
const asksWho = (rule: Rule): boolean => rule.asksWho === true;
const ofSigning: ReadonlySet<string> = new Set(signingRequirements.map(({ id }) => id));
const isOfSigning = ({ requirement }: Rule): boolean => ofSigning.has(requirement);

const ordered = (order: (rules: readonly Rule[]) => readonly Rule[]) =>
  withRules((operation, rules) =>
    shown.includes(operation)
      ? [...rules.filter(asksWho), ...order(rules.filter((rule) => !asksWho(rule)))]
      : rules,
  );

const endedWithoutLink = knowingSessions((wasPassed) =>
  onRefusal(
    (rule) => serves(rule, 'SES-03'),
    (refusal, request) => {
      if (!wasPassed(request)) return refusal;
      const { links: _, headers: __, ...bare } = refusal;
      return { ...bare, status: 403, code: 'SCA_INVALID' };
    },
  ),
);

// biome-ignore format: a table
export const refusalDialects = rows(
  ...[400, 403, 404, 406, 409, 415, 422, 451].map((status): Row =>
    [`statuses/${status}`, `refuses with ${status} wherever it may choose`, topic, answeringFaults(free, () => status)]),
  ['statuses/many', 'refuses with another status for each kind of fault', topic,
    answeringFaults(free, (place) => manyStatuses[(place * 7) % manyStatuses.length] ?? 400)],
  ['statuses/certificate-401', 'answers 401 to a certificate that it does not take, without a scaRedirect link', itself,
    answeringFaults(['certificate', 'role', 'certificateUnreadable'], () => 401)],
  ['statuses/clock-401', 'answers 401 to a Date that is off', itself, answeringFaults(['clock'], () => 401)],
  ['order/reversed', 'checks everything in the opposite order', topic, ordered((rules) => rules.toReversed())],
  ['order/body-first', 'checks headers and body before the signature', topic,
    ordered((rules) => [...rules.filter((rule) => !isOfSigning(rule)), ...rules.filter(isOfSigning)])],
  ['order/alphabetical', 'checks everything in the order of requirement ids', topic,
    ordered((rules) => rules.toSorted((a, b) => a.requirement.localeCompare(b.requirement)))],
  ['sessions/ended-403', 'answers 403 without a link in a session that a newer one has ended', itself, endedWithoutLink],
);

// biome-ignore format: a table
export const errorBodyDialects = rows(
  ['errors/problem-json', 'describes errors as RFC 7807 does', topic,
    erringByProblem(({ status, code, text }) => ({ type: 'about:blank', title: code, status, detail: text }))],
  ['errors/problem-type', 'describes errors as RFC 7807 does, each by the address of its type alone', topic,
    erringByProblem(({ status, code, text }) => ({ type: `https://bank.example/errors/${code}`, title: text, status }))],
  ['errors/plain-text', 'describes errors in plain text', topic,
    erring(({ text }) => ({ text: { type: 'text/plain; charset=utf-8', content: text } }))],
  ['errors/html', 'stands behind a gateway that describes errors in HTML', topic, erring(inHtml)],
  ['errors/some-html', 'describes in HTML what its gateway refuses, which is headers, and the rest in JSON', topic,
    withRefusalAnswers((answer, refusal) => {
      const { status, code, links, headers } = refusal;
      return code !== 'HTTP_HEADER_REQUIRED' || links ? answer : { status, ...(headers && { headers }), ...inHtml(refusal) };
    })],
  ['errors/empty', 'sends errors without a body', topic, erring(() => ({}))],
  ['errors/empty-object', 'sends an empty object with its errors', topic, erringWith(() => ({}))],
  ['errors/no-messages', 'sends an empty list of messages', topic, erringWith(() => ({ tppMessages: [] }))],
  ['errors/own-shape', 'describes errors in a shape of its own', topic,
    erringWith(({ code, text }) => ({ error: { id: 17, kind: code, reason: text, trace: ['a', 'b'] } }), true)],
  ['errors/message', 'describes errors by a message alone, as gateways do', topic, erringWith(({ text }) => ({ message: text }))],
  ['errors/array', 'describes errors as an array', topic, erringWith(({ code, text }) => [{ code, text }])],
  ['errors/minimal', 'describes errors by category and code alone', topic,
    erringWith(({ code }) => ({ tppMessages: [{ category: 'ERROR', code }] }))],
  ['errors/one-code', 'knows one code for all errors', topic,
    erringWith(() => ({ tppMessages: [{ category: 'ERROR', code: 'BAD_REQUEST', text: 'No.' }] }))],
  ['errors/longest-text', 'describes errors in 512 characters', topic,
    erringWith(({ code }) => ({ tppMessages: [{ category: 'ERROR', code, text: 'ø'.repeat(512) }] }))],
  ['errors/many-messages', 'tells every error with warnings next to it', topic,
    addingToErrors(({ code, text }) => ({ tppMessages: [
      { category: 'WARNING', code: 'SYSTEM_ERROR' },
      { category: 'ERROR', code, text, path: '', severity: 3, help: { href: 'https://bank.example/help' } },
    ] }))],
  ['errors/links-only', 'asks for SCA with nothing but the link', topic,
    withRefusalAnswers((answer, { links }) => (links ? { ...answer, body: { _links: links } } : answer))],
  ['errors/norwegian', 'tells errors in Norwegian, with a path as JSON Pointer has it', topic,
    withRefusalAnswers((answer, { code, path, links }) => {
      const text = 'Forespørselen ble avvist: «feltet» er ikke gyldig på nåværende tidspunkt – prøv igjen.';
      const pointer = path === undefined ? {} : { path: `/${path.replaceAll('.', '/')}` };
      return { ...answer, body: { tppMessages: [{ category: 'ERROR', code, ...pointer, text }], ...(links && { _links: links }) } };
    })],
  ['errors/rich', 'adds members of its own to every error', topic,
    addingToErrors(({ status }) => ({ timestamp: '2026-03-03T10:00:00+00:00', traceId: 'a1', errors: [], status }))],
);
