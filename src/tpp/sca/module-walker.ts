import { pathToFileURL } from 'node:url';
import type { fetch } from 'undici';
import { readScaReturn } from './sca-return.ts';
import { type ScaPerson, ScaWalkError, type ScaWalker } from './sca-walker.ts';

/** What the user's own script is given. It answers with the address at TPP-Redirect-URI that the PSU was sent to. */
export interface ScaModuleArguments {
  readonly link: string;
  readonly nationalId: string;
  readonly context: ScaPerson['context'];
  readonly redirectUri: string;
  /** With the TLS settings of the target file. */
  readonly fetch: typeof fetch;
}

export type ScaModule = (given: ScaModuleArguments) => Promise<string | URL>;

export interface ModuleWalkerOptions {
  readonly file: string;
  readonly redirectUri: string;
  readonly fetch: typeof fetch;
}

export function moduleWalker({ file, redirectUri, fetch }: ModuleWalkerOptions): ScaWalker {
  return {
    async pass(link, { nationalId, context, redirectUri: given = redirectUri }) {
      const passSca = await load(file);
      const address = await passSca({ link, nationalId, context, redirectUri: given, fetch }).catch(
        (error: unknown) => {
          throw new ScaWalkError('stuck', `${file} did not pass SCA: ${messageOf(error)}`);
        },
      );
      if (!URL.canParse(String(address))) {
        throw new ScaWalkError(
          'stuck',
          `${file} gave ${JSON.stringify(address) ?? 'nothing'}, which is no address. It has to give the one at TPP-Redirect-URI that the bank redirected to.`,
        );
      }
      return readScaReturn(String(address));
    },
    async abort() {
      return undefined;
    },
  };
}

async function load(file: string): Promise<ScaModule> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    if (typeof module.default === 'function') return module.default as ScaModule;
  } catch (error) {
    throw new ScaWalkError('cannot-walk', `${file} (psu.module) cannot be loaded: ${messageOf(error)}`);
  }
  throw new ScaWalkError(
    'cannot-walk',
    `${file} (psu.module) has no default export that is a function: async ({ link, nationalId, context, redirectUri, fetch }) => address.`,
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
