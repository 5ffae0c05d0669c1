import type { BankOptions } from '../bank.ts';
import { type Answer, bankUnderTest, type CallOptions, type Json } from '../bank-under-test.test.data.ts';
import { type MovableClock, movableClock } from '../state/movable-clock.test.data.ts';

export const kari = '01819010001';
export const ola = '01819010192';
/** Private, and without any agreement. */
export const aase = '12848510058';
/** Representative of a company. */
export const fjordOgFjell = '05829210160';

export interface Redirect {
  readonly location: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A bank on a clock that can be moved, a TPP that calls it, and a PSU who fills in its pages. Nobody is logged in. */
export async function tppOfBank(options: Partial<BankOptions> = {}) {
  const clock: MovableClock = movableClock();
  const subject = await bankUnderTest({ clock, sessions: [], ...options });
  const { bank, call } = subject;

  const get = (
    path: string,
    headers: CallOptions['headers'] = {},
    identity?: CallOptions['identity'],
  ): Promise<Answer> =>
    call(path, {
      method: 'GET',
      headers: { 'x-accept-fix': undefined, 'PSU-ID': undefined, ...headers },
      ...(identity && { identity }),
    });

  const page = async (href: string, form?: Readonly<Record<string, string>> | URLSearchParams) =>
    bank.inject({
      method: form === undefined ? 'GET' : 'POST',
      url: new URL(href).pathname,
      headers: form === undefined ? [] : [['Content-Type', 'application/x-www-form-urlencoded']],
      ...(form === undefined ? {} : { body: Buffer.from(new URLSearchParams(form).toString()) }),
    });

  /** Fills in a page; the PSU is sent back to the TPP. */
  const finish = async (
    href: string,
    form: Readonly<Record<string, string>> | URLSearchParams,
  ): Promise<Redirect> => {
    const answer = await page(href, form);
    const location = answer.headers.find(([name]) => name === 'Location')?.[1];
    if (location === undefined) throw new Error(`${answer.status} without a redirect: ${answer.body}`);
    return { location, parameters: Object.fromEntries(new URL(location).searchParams) };
  };

  const scaRedirectOf = (answer: Answer): string => {
    const links = answer.body._links as Readonly<Record<string, { href: string }>> | undefined;
    return links?.scaRedirect?.href ?? '';
  };

  /** Passes SCA in one go and gives what identifies the PSU from then on. */
  const consent = async (
    customerNumber: string,
    form: Readonly<Record<string, string>> = {},
    headers: CallOptions['headers'] = {},
  ) => {
    const href = scaRedirectOf(await get('/v1/accounts', headers));
    const { parameters } = await finish(href, {
      nationalId: customerNumber,
      context: 'PRIVATE',
      accounts: 'all',
      ...form,
    });
    return {
      'PSU-ID': parameters['psu-id'],
      ...(parameters['psu-corporate-id'] && { 'PSU-Corporate-ID': parameters['psu-corporate-id'] }),
      ...headers,
    };
  };

  return { ...subject, clock, get, page, finish, scaRedirectOf, consent };
}

export type TppOfBank = Awaited<ReturnType<typeof tppOfBank>>;

/** `code` of the first message. */
export const codeOf = ({ body }: Answer): unknown =>
  (body.tppMessages as readonly Json[] | undefined)?.[0]?.code;

/** Status and code of a refusal, such as `401 CONSENT_UNKNOWN`. */
export const refusalIn = (answer: Answer): string => `${answer.status} ${codeOf(answer)}`;
