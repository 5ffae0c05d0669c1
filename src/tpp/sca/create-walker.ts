import { pathToFileURL } from 'node:url';
import type { Agent, fetch } from 'undici';
import type { TargetAccounts } from '../../target/accounts.ts';
import type { Target } from '../../target/target.ts';
import { usualAppearance } from '../call.ts';
import { proxyConnector } from '../proxy-connector.ts';
import { type UndiciTransportOptions, usualConnectTimeoutMs } from '../undici-transport.ts';
import { manualWalker } from './manual-walker.ts';
import type { PageHttp } from './page-http.ts';
import { isReturnTo, readScaReturn, type ScaReturn } from './sca-return.ts';
import { type ScaPerson, ScaWalkError, type ScaWalker } from './sca-walker.ts';

/** What the user's own script is given. It answers with the address at TPP-Redirect-URI that the PSU was sent to. */
interface ScaModuleArguments {
  readonly link: string;
  readonly nationalId: string;
  readonly context: ScaPerson['context'];
  readonly redirectUri: string;
  /** With the TLS settings of the target file. */
  readonly fetch: typeof fetch;
}

/** What it exports: how SCA is passed by default, and how the PSU cancels where the pages have a way to. */
interface ScaModule {
  readonly default: (given: ScaModuleArguments) => Promise<string | URL>;
  /** The same, but the PSU leaves out one of the accounts that are granted: that with one of these ids and numbers. */
  readonly deselect?: (
    given: ScaModuleArguments & Required<Pick<ScaPerson, 'deselects'>>,
  ) => Promise<string | URL>;
  readonly cancel?: (
    given: Pick<ScaModuleArguments, 'link' | 'redirectUri' | 'fetch'> &
      Partial<Pick<ScaModuleArguments, 'nationalId' | 'context'>>,
  ) => Promise<string | URL>;
}

interface ModuleWalkerOptions {
  readonly file: string;
  readonly redirectUri: string;
  readonly fetch: typeof fetch;
}

export function moduleWalker({ file, redirectUri, fetch }: ModuleWalkerOptions): ScaWalker {
  return {
    async pass(link, { nationalId, context, redirectUri: given = redirectUri, deselects = [] }) {
      const { default: passSca, deselect } = await load(file);
      const { seen, fetch: watched } = watch(fetch, nationalId, given);
      const person = { link, nationalId, context, redirectUri: given, fetch: watched };
      const deselecting = deselects.length > 0 ? deselect : undefined;
      const walked = deselecting === undefined ? passSca(person) : deselecting({ ...person, deselects });
      const back = await returnFrom(file, walked, 'pass SCA', seen);
      return {
        ...back,
        // What a browser of the script fills in is not seen, and a number may be sent in parts.
        ...(seen.isNamed ? {} : { wasPerhapsNotAsked: true }),
        ...(deselecting === undefined ? {} : { hasDeselected: true }),
        ...(deselects.length > 0 && deselecting === undefined ? { cannotDeselect: noDeselect(file) } : {}),
      };
    },
    async abort(link, { redirectUri: given = redirectUri, isLate = false, ...person } = {}) {
      // A script knows one place to cancel at.
      if (isLate) return undefined;
      const { cancel } = await load(file);
      if (cancel === undefined) return undefined;
      const { seen, fetch: watched } = watch(fetch, person.nationalId, given);
      return returnFrom(
        file,
        cancel({ link, redirectUri: given, fetch: watched, ...person }),
        'cancel SCA',
        seen,
      );
    },
  };
}

const noDeselect = (file: string): string =>
  `${file} (psu.module) has no export deselect, by which the PSU leaves out one of the accounts: add it.`;

/** What a script has asked for. */
interface Seen {
  /** Whether it has named the PSU. */
  isNamed: boolean;
  /** The return, where it has followed the redirect to it: nobody need listen there. */
  back?: string;
}

function watch(fetch: ModuleWalkerOptions['fetch'], nationalId: string | undefined, redirectUri: string) {
  const seen: Seen = { isNamed: false };
  const watched: typeof fetch = async (input, init) => {
    const address = String(input);
    if (nationalId !== undefined)
      seen.isNamed ||= [address, textOf(init?.body)].some((sent) => sent.includes(nationalId));
    if (!isReturnTo(redirectUri, address)) return fetch(input, init);
    seen.back = address;
    throw new Error(`The bank has sent the PSU back to ${redirectUri}: give that address.`);
  };
  return { seen, fetch: watched };
}

/** Of a form, as far as it can be read without using it up. */
const textOf = (body: unknown): string =>
  typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '';

async function returnFrom(
  file: string,
  walked: Promise<string | URL>,
  what: string,
  seen: Seen,
): Promise<ScaReturn> {
  const address = await walked.catch((error: unknown) => {
    if (seen.back !== undefined) return seen.back;
    throw new ScaWalkError('stuck', `${file} did not ${what}: ${messageOf(error)}`);
  });
  if (!URL.canParse(String(address))) {
    throw new ScaWalkError(
      'stuck',
      `${file} gave ${JSON.stringify(address) ?? 'nothing'}, which is no address. It has to give the one at TPP-Redirect-URI that the bank redirected to.`,
    );
  }
  return readScaReturn(String(address));
}

async function load(file: string): Promise<ScaModule> {
  try {
    const module = (await import(pathToFileURL(file).href)) as Partial<Record<keyof ScaModule, unknown>>;
    if (typeof module.default === 'function') return module as ScaModule;
  } catch (error) {
    throw new ScaWalkError('cannot-walk', `${file} (psu.module) cannot be loaded: ${messageOf(error)}`);
  }
  throw new ScaWalkError(
    'cannot-walk',
    `${file} (psu.module) has no default export that is a function: async ({ link, nationalId, context, redirectUri, fetch }) => address.`,
  );
}

/** With its cause: that a fetch failed says little. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** SCA was passed before the run, and cannot be passed again. */
const sessionWalker: ScaWalker = {
  async pass() {
    throw new ScaWalkError(
      'cannot-walk',
      'With psu.sca: session SCA cannot be passed anew. Set psu.sca to form, manual or module in the target file.',
    );
  },
  async abort() {
    return undefined;
  },
};

/** The accounts that are paid from: where the PSU can choose one of several, it is one of these. */
const numbersOf = ({ debtor, corporateDebtor, otherDebtor }: TargetAccounts): readonly string[] =>
  [debtor, corporateDebtor, otherDebtor].flatMap((account) =>
    [account?.bban ?? [], account?.iban ?? []].flat(),
  );

/** By which proxy and how secured an address is reached. */
export type Connection = Pick<UndiciTransportOptions, 'proxy' | 'tls'>;

/** The way to pass SCA that the target file chose. */
export function createWalker(
  { psu, accounts }: Pick<Target, 'psu' | 'accounts'>,
  http: PageHttp,
  connectionTo: (origin: string) => Connection,
  spend: () => void,
): ScaWalker {
  const { sca, context, redirectUri = usualAppearance.redirectUri, form, module: file } = psu;
  switch (sca) {
    case 'session':
      return sessionWalker;
    case 'form':
      return loadedLater(async () =>
        (await import('./form-walker.ts')).formWalker({
          http,
          redirectUri,
          names: form,
          accounts: numbersOf(accounts),
        }),
      );
    case 'manual':
      return manualWalker({ redirectUri, ownContext: context });
    case 'module':
      return moduleWalker({
        file: file ?? '',
        redirectUri,
        fetch: fetchWith(connectionTo, spend, http.browser),
      });
  }
}

/** A script of the user gets a fetch that reaches the host that is asked as the target file says. */
function fetchWith(
  connectionTo: (origin: string) => Connection,
  spend: () => void,
  browser = usualAppearance.browser,
): typeof fetch {
  let agent: Agent | undefined;
  return async (input, init) => {
    const undici = await import('undici');
    agent ??= new undici.Agent({
      factory: (origin, options) => {
        const { tls, proxy } = connectionTo(new URL(origin).origin);
        const ways = { ...tls, timeout: usualConnectTimeoutMs };
        const connect = proxy === undefined ? ways : proxyConnector(proxy, ways, undici.buildConnector);
        return new undici.Pool(origin, { ...options, connect });
      },
    });
    spend();
    const request = new undici.Request(input, init);
    if (!request.headers.has('User-Agent')) request.headers.set('User-Agent', browser);
    return undici.fetch(request, { dispatcher: init?.dispatcher ?? agent });
  };
}

/** With the first page: what reads HTML and cookies takes as long to load as all the rest of a start. */
function loadedLater(load: () => Promise<ScaWalker>): ScaWalker {
  let loading: Promise<ScaWalker> | undefined;
  const loaded = (): Promise<ScaWalker> => {
    loading ??= load();
    return loading;
  };
  return {
    pass: async (...walk) => (await loaded()).pass(...walk),
    abort: async (...walk) => (await loaded()).abort(...walk),
  };
}
