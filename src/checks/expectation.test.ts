import { describe, expect, it } from 'vitest';
import { defaultReadings } from '../spec/interpretations.ts';
import { Answer } from '../tpp/answer.ts';
import type { HeaderLine } from '../tpp/exchange.ts';
import {
  accepted,
  acceptedOr400,
  acceptedWithKid,
  answeredOk,
  asksForSca,
  created,
  describeAnswer,
  type Expectation,
  expectAnswer,
  refused,
  refusedOrAskedForSca,
  rejectedWith,
} from './expectation.ts';
import { aCheck, verdictAt } from './fake-run-context.test.data.ts';

function answer(
  status: number,
  body: unknown = {},
  cut?: string,
  headers: readonly HeaderLine[] = [],
): Answer {
  const text = cut === undefined ? JSON.stringify(body) : '';
  return new Answer(
    {
      id: 'x00001',
      purpose: 'control',
      operation: 'listAccounts',
      attempt: 1,
      startedAt: '2026-03-02T10:00:00.000Z',
      durationMs: 1,
      request: { method: 'GET', url: 'https://bank.example/v1/accounts', headers: [], body: '' },
      response: { status, headers, body: text },
    },
    Buffer.from(text),
    cut === undefined ? {} : { cut },
  );
}

const sca = answer(401, { _links: { scaRedirect: { href: 'https://bank.example/sca' } } });
const mixed = answer(400, { tppMessages: [{ category: 'ERROR', code: 'REFERENCE_MIX_INVALID' }] });
const all: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    [200, 201, 204, 302, 400, 401, 403, 404, 408, 415, 422, 429, 500, 503].map((status) => [
      String(status),
      answer(status),
    ]),
  ),
  sca,
  mixed,
};

const met = (expectation: Expectation, readings = defaultReadings): readonly string[] =>
  Object.keys(all).filter((name) => expectation.met(all[name] as Answer, readings));

describe('an expectation', () => {
  it.each<[string, Expectation, readonly string[]]>([
    [
      'refused: any 4xx that says something about the request',
      refused(),
      ['400', '401', '403', '404', '415', '422', 'mixed'],
    ],
    [
      'refused or asked for SCA',
      refusedOrAskedForSca(),
      ['400', '401', '403', '404', '415', '422', 'sca', 'mixed'],
    ],
    ['a fixed status', rejectedWith(400), ['400', 'mixed']],
    ['a fixed status and code', rejectedWith(400, 'REFERENCE_MIX_INVALID'), ['mixed']],
    ['accepted', accepted(), ['200', '201', '204', 'sca']],
    ['created', created(), ['201', 'sca']],
    ['answered', answeredOk(), ['200']],
    ['accepted or 400', acceptedOr400(), ['200', '201', '204', '400', 'sca', 'mixed']],
    ['asks for SCA', asksForSca(), ['sca']],
  ])('%s', (_, expectation, names) => {
    expect(new Set(met(expectation))).toEqual(new Set(names));
  });

  it('finds the code of a shape of the bank’s own by itself, or at the end of an address', () => {
    const code = 'REFERENCE_MIX_INVALID';
    const told = (body: unknown) => rejectedWith(400, code).met(answer(400, body), defaultReadings);
    expect(
      [{ title: code }, { type: `https://bank.example/errors/${code}` }, { type: `urn:bank:${code}` }].map(
        told,
      ),
    ).toEqual([true, true, true]);
    expect(
      [{ type: `https://bank.example/errors/NOT_${code}` }, { title: `not: ${code}` }].map(told),
    ).toEqual([false, false]);
  });

  it('follows the readings', () => {
    expect(met(refused(), { ...defaultReadings, refusalStatus: '400' })).toEqual(['400', 'mixed']);
    expect(met(created(), { ...defaultReadings, paymentSca: 'created' })).toEqual(['201']);
    expect(met(accepted(), { ...defaultReadings, paymentSca: 'created' })).toEqual(['200', '201', '204']);
  });
});

describe('an answer', () => {
  it('of which not all was read may ask for SCA, and then blames nobody', async () => {
    const judging = (status: number) =>
      verdictAt(
        undefined,
        aCheck({
          run: async (context) =>
            expectAnswer(context, answer(status, {}, 'it is too long'), asksForSca(), 'for accounts'),
        }),
      );
    expect(await judging(401)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('was not read whole'),
    });
    expect(await judging(403)).toMatchObject({ verdict: 'fail' });
  });

  it('says which requirement it breaks, where several could be', async () => {
    const brokenBy = async (expected: Expectation, status: number, body?: unknown) => {
      const one = aCheck({
        run: async (context) => expectAnswer(context, answer(status, body), expected, ''),
      });
      return (await verdictAt(undefined, one)).requirements.join();
    };
    const own = aCheck().requirement;
    expect(await brokenBy(created('BSK-10'), 200)).toBe('BSK-10');
    expect(await brokenBy(created('BSK-10'), 400)).toBe(own);
    expect(await brokenBy(asksForSca('ERR-03'), 403)).toBe('ERR-03');
    expect(await brokenBy(asksForSca('ERR-03'), 200)).toBe(own);
    expect(await brokenBy(acceptedWithKid, 400, { tppMessages: [{ code: 'KID_INVALID' }] })).toBe('REM-11');
    expect(await brokenBy(acceptedWithKid, 400)).toBe(own);
  });

  it('is told with its first messages', () => {
    const tppMessages = [
      { code: 'FORMAT_ERROR', path: 'creditorName', text: 'too long.' },
      { code: 'KID_INVALID' },
      { text: 'third' },
      { text: 'fourth' },
    ];
    expect(describeAnswer(answer(400, { tppMessages }))).toBe(
      '400, FORMAT_ERROR creditorName too long, KID_INVALID, third',
    );
    const problem = { title: 'Bad request', status: 400, detail: 'The account\nis unknown.' };
    const warned = [{ category: 'WARNING', code: 'FORMAT_ERROR', text: 'shortened' }];
    expect(describeAnswer(answer(201, { tppMessages: warned }))).toBe(
      '201 (accepted), WARNING FORMAT_ERROR shortened',
    );
    expect(describeAnswer(answer(400, problem))).toBe('400, The account is unknown');
    expect(describeAnswer(answer(403, [{ message: 'Forbidden' }]))).toBe('403, Forbidden');
    expect(describeAnswer(answer(404, { detail: { reason: 1 }, title: '' }))).toBe('404');
    expect(describeAnswer(answer(201, { message: 'Created' }))).toBe('201');
    expect(describeAnswer(sca)).toBe('401, with a scaRedirect link');
    expect(describeAnswer(answer(502))).toBe('502');
  });
});

it('an answer is told in one line, however much it says', () => {
  const long = answer(400, {
    tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'too long '.repeat(56) }],
  });
  expect(describeAnswer(long)).toMatch(/^400, FORMAT_ERROR (?:too long ?)+…$/);
  expect(describeAnswer(long).length).toBeLessThan(200);
});

it('tells where a redirect leads to, and nothing else of that address', () => {
  const led = (address: string) => describeAnswer(answer(308, {}, undefined, [['Location', address]]));
  expect(led('https://bank.example:8443/v1/accounts?token=secret')).toBe('308 to https://bank.example:8443');
  expect(led('/elsewhere')).toBe('308');
});
