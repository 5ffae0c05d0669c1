import { Agent, fetch, Pool } from 'undici';
import type { TargetPsu } from '../../target/psu.ts';
import type { UndiciTransportOptions } from '../undici-transport.ts';
import { formWalker } from './form-walker.ts';
import { manualWalker } from './manual-walker.ts';
import { moduleWalker } from './module-walker.ts';
import type { PageHttp } from './page-http.ts';
import { ScaWalkError, type ScaWalker } from './sca-walker.ts';

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

/** The way to pass SCA that the target file chose. */
export function createWalker(
  { sca, redirectUri, form, module: file }: TargetPsu,
  http: PageHttp,
  tlsTo: (origin: string) => NonNullable<UndiciTransportOptions['tls']>,
): ScaWalker {
  switch (sca) {
    case 'session':
      return sessionWalker;
    case 'form':
      return formWalker({ http, redirectUri, names: form });
    case 'manual':
      return manualWalker({ redirectUri });
    case 'module':
      return moduleWalker({ file: file ?? '', redirectUri, fetch: fetchWith(tlsTo) });
  }
}

/** A script of the user gets a fetch with the TLS settings of the target file for the host that is asked. */
function fetchWith(tlsTo: (origin: string) => NonNullable<UndiciTransportOptions['tls']>): typeof fetch {
  let agent: Agent | undefined;
  return (input, init) => {
    agent ??= new Agent({
      factory: (origin, options) => new Pool(origin, { ...options, connect: tlsTo(new URL(origin).origin) }),
    });
    return fetch(input, { dispatcher: agent, ...init });
  };
}
