import type { DesignChange } from '../design/design-changes.ts';
import type { BankAnswer, Refusal } from '../design/route.ts';
import { type Dialect, dialect } from './dialect.ts';

/** Another error body. The link to SCA and the code of a mixed basket are demanded, so those refusals keep theirs. */
const erring =
  (answerTo: (refusal: Refusal) => BankAnswer): DesignChange =>
  (design) => ({
    ...design,
    answers: {
      ...design.answers,
      refusal: (refusal) => {
        const isDemanded = refusal.links !== undefined || refusal.code === 'REFERENCE_MIX_INVALID';
        return isDemanded
          ? design.answers.refusal(refusal)
          : { ...(refusal.headers === undefined ? {} : { headers: refusal.headers }), ...answerTo(refusal) };
      },
    },
  });

/** Every refusal, those with a demanded body included. */
const everyError =
  (change: (answer: BankAnswer, refusal: Refusal) => BankAnswer): DesignChange =>
  (design) => ({
    ...design,
    answers: {
      ...design.answers,
      refusal: (refusal) => change(design.answers.refusal(refusal), refusal),
    },
  });

const withBody = (answer: BankAnswer, body: object): BankAnswer => ({
  ...answer,
  body: { ...Object(answer.body), ...body },
});

export const errorBodyDialects: readonly Dialect[] = [
  dialect(
    'errors/problem-json',
    'describes errors as RFC 7807 does',
    erring(({ status, code, text }) => ({
      status,
      text: {
        type: 'application/problem+json',
        content: JSON.stringify({ type: 'about:blank', title: code, status, detail: text }),
      },
    })),
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
    erring(({ status, code, text }) => ({
      status,
      body: { error: { id: 17, kind: code, reason: text, trace: ['a', 'b'] } },
    })),
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
    everyError((answer, { code, text }) =>
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
    everyError((answer, { links }) =>
      links === undefined ? answer : { ...answer, body: { _links: links } },
    ),
  ),
  dialect(
    'errors/rich',
    'adds members of its own to every error',
    everyError((answer) =>
      withBody(answer, {
        timestamp: '2026-03-03T10:00:00+00:00',
        traceId: 'a1',
        errors: [],
        status: answer.status,
      }),
    ),
  ),
];
