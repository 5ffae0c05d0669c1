import { hostname } from 'node:os';
import type { Command } from 'commander';
import { httpsUrl, pathPrefix, portNumber } from '../runner/arguments.ts';
import { readCertificate } from '../signing/certificate.ts';
import { readBounded } from '../target/bounded-file.ts';
import { unreadable } from '../target/key-pairs.ts';
import { CommandError } from './terminal.ts';

/**
 * The signals by which people and service managers end a process, and a terminal that is closed. Node takes the last one
 * even where nohup has it ignored.
 */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Ending = (typeof endings)[number];

/**
 * Calls back at the first such signal; a second one ends the process at once, as if nobody had listened. Under npx a
 * signal ends the shell between npm and us without ever reaching us, so the loss of that parent counts as SIGTERM.
 */
export function onEnding(callback: (signal: Ending) => void): () => void {
  const listen = (signal: Ending): void => {
    stop();
    callback(signal);
  };
  const parent = process.ppid;
  const watch =
    process.env.npm_command === undefined
      ? undefined
      : setInterval(() => {
          if (process.ppid !== parent) listen('SIGTERM');
        }, 250).unref();
  const stop = (): void => {
    clearInterval(watch);
    for (const signal of endings) process.off(signal, listen);
  };
  for (const signal of endings) process.on(signal, listen);
  return stop;
}

/** What commands that let the reference bank listen have in common. */
export interface ListenFlags {
  readonly port: number;
  readonly host: string;
  readonly prefix?: string;
  readonly publicUrl?: string;
}

export const addListenOptions = (command: Command): Command =>
  command
    .option('-p, --port <number>', 'port to listen on; 0 takes any that is free', portNumber, 8443)
    .option(
      '--host <name>',
      'name or address to listen on; 0.0.0.0 is reached from other machines',
      'localhost',
    )
    .option('--prefix <path>', 'path before /v1, such as /psd2', pathPrefix)
    .option('--public-url <url>', 'address that others reach it by, where that is another one', httpsUrl);

/** An address that means "everywhere" leads nowhere, so the bank calls itself by a name. */
export function publicAddress(
  { host, port, publicUrl }: ListenFlags,
  prefix: string,
): {
  readonly publicUrl?: string;
  readonly hostnames: readonly string[];
} {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const address =
    publicUrl ?? (isEverywhere && port !== 0 ? `https://localhost:${port}${prefix}` : undefined);
  const names = ['localhost', hostname(), ...(isEverywhere ? [] : [host])];
  const outside = address === undefined ? [] : [new URL(address).hostname.replace(/^\[|\]$/g, '')];
  return {
    ...(address === undefined ? {} : { publicUrl: address }),
    // The first one names the certificate; what no certificate can hold is left out.
    hostnames: [...new Set([...outside, ...names])].filter((name) => /^[\w.:-]+$/.test(name)),
  };
}

export async function readAuthority(file: string): Promise<string> {
  let pem: string;
  try {
    pem = readBounded(file).toString('utf8');
  } catch (error) {
    throw new CommandError(
      `${unreadable(file, error)} Give a PEM file with the certificate of an authority.`,
    );
  }
  try {
    readCertificate(pem);
    return pem;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} is no authority to trust. ${said}`);
  }
}

export function asListenError(error: unknown, { port, host }: ListenFlags): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    throw new CommandError(`Port ${port} of ${host} is taken. Choose another with --port; 0 takes any.`);
  }
  if (code === 'EACCES')
    throw new CommandError(`Port ${port} may not be used by you. Choose one above 1023.`);
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    throw new CommandError(`${host} is no address of this machine. Choose another with --host.`);
  }
  throw error;
}
