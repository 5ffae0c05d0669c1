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

export const bodyOf = ({ form }: PageRequest): string => form?.body.toString() ?? '';

/** A bank whose pages are functions of the request. */
export function bank(serve: (request: PageRequest, form: URLSearchParams) => Page, names: ScaForm = {}) {
  const requests: PageRequest[] = [];
  const http: PageHttp = {
    async send(request) {
      requests.push(request);
      const {
        status,
        headers = [],
        html = '',
        location,
      } = serve(request, new URLSearchParams(bodyOf(request)));
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
  return { walker: formWalker({ http, redirectUri, names, waitMs: 1 }), requests };
}
