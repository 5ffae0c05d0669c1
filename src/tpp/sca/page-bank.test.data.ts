import type { ScaForm } from '../../target/psu.ts';
import type { Exchange, HeaderLine } from '../exchange.ts';
import { formWalker } from './form-walker.ts';
import type { PageHttp, PageRequest } from './page-http.ts';
import type { ScaPerson } from './sca-walker.ts';

export interface Page {
  readonly status?: number;
  readonly headers?: readonly HeaderLine[];
  readonly html?: string;
  readonly location?: string;
}

export const redirectUri = 'https://tpp.example/back';
export const person: ScaPerson = { nationalId: '01819010001', context: 'PRIVATE' };
export const start = 'https://bank.example/sca/1';
export const done = `${redirectUri}?psu-id=7&tpp-session-id=s&context=PRIVATE`;
/** Where a bank sends the PSU back to, and what a TPP reads there. */
export const [ended, cancelled] = [
  { location: done },
  { location: `${redirectUri}?status=401&code=SCA_INVALID` },
] as const satisfies readonly Page[];
export const [success, failure] = [{ psuId: '7' }, { status: '401', code: 'SCA_INVALID' }] as const;
/** The usual first page, and one that can be approved or cancelled. */
export const asksWho = '<form method=post><input name=fnr><button>OK</button></form>';
export const asksToCancel =
  '<form method=post><input name=fnr><button name=cancel value=1>Avbryt</button></form>';

export const bodyOf = ({ form }: PageRequest): string => form?.body.toString() ?? '';

/** A bank whose pages are functions of the request; a text is the HTML of a page. */
export function bank(
  serve: (request: PageRequest, form: URLSearchParams) => Page | string,
  names: ScaForm = {},
) {
  const requests: PageRequest[] = [];
  const http: PageHttp = {
    async send(request) {
      requests.push(request);
      const page = serve(request, new URLSearchParams(bodyOf(request)));
      const { status, headers = [], html = '', location } = typeof page === 'string' ? { html: page } : page;
      const lines = [...headers, ...(location === undefined ? [] : [['Location', location] as const])];
      const answered = status ?? (location === undefined ? 200 : 302);
      return {
        status: answered,
        headers: lines,
        text: html,
        letters: 'utf-8',
        exchange: { request } as unknown as Exchange,
      };
    },
    async close() {},
  };
  const walker = formWalker({ http, redirectUri, names, waitMs: 1 });
  return {
    walker,
    requests,
    pass: (who = person) => walker.pass(start, who),
    abort: (who?: Parameters<typeof walker.abort>[1]) => walker.abort(start, who),
  };
}

/** A bank that shows one page until a form is posted, and answers that. */
export const formBank = (
  shown: Page | string,
  answer: (form: URLSearchParams) => Page | string = () => ended,
) => bank(({ method }, form) => (method === 'GET' ? shown : answer(form)));
