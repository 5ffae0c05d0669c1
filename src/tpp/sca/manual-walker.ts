import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isReturnTo, readScaReturn, type ScaReturn } from './sca-return.ts';
import { type ScaPerson, ScaWalkError, type ScaWalker } from './sca-walker.ts';

export interface ManualWalkerOptions {
  /** An http address of this machine. */
  readonly redirectUri: string;
  /** The context of psu itself; PRIVATE unless given. */
  readonly ownContext?: ScaPerson['context'];
  readonly timeoutMs?: number;
  readonly tell?: (text: string) => void;
}

const fiveMinutes = 5 * 60 * 1000;

/** A person walks the pages in a browser; the return is caught on this machine. One walk at a time: there is one port. */
export function manualWalker({
  redirectUri,
  ownContext = 'PRIVATE',
  timeoutMs = fiveMinutes,
  tell = (text) => void process.stderr.write(`${text}\n`),
}: ManualWalkerOptions): ScaWalker {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(walk: () => Promise<T>): Promise<T> => {
    const turn = last.then(walk);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    pass: (link, person) =>
      inTurn(() => {
        const address = person.redirectUri ?? redirectUri;
        const who = person.context === ownContext ? 'psu' : 'psu.corporate';
        return waitForReturn(address, timeoutMs, () => tell(invitation(link, person, who, timeoutMs)));
      }),
    async abort() {
      return undefined;
    },
  };
}

// Whose number it is, and never the number: what a terminal shows ends up in logs.
const invitation = (link: string, { context }: ScaPerson, who: string, timeoutMs: number): string =>
  [
    '',
    'Strong customer authentication: open this link in a browser and approve.',
    // Written anew, since an address of a bank may hold what commands a terminal.
    `  ${URL.canParse(link) ? new URL(link).href : link.replace(/[^!-~]/g, '?')}`,
    `  as ${who} of the target file, ${context.toLowerCase()} context`,
    `Waiting for up to ${Math.ceil(timeoutMs / 60_000)} minutes.`,
  ].join('\n');

async function waitForReturn(
  redirectUri: string,
  timeoutMs: number,
  onListening: () => void,
): Promise<ScaReturn> {
  const { protocol, hostname, port, origin } = new URL(redirectUri);
  if (protocol !== 'http:') {
    throw new ScaWalkError(
      'cannot-walk',
      `psu.redirectUri is ${redirectUri}, where nobody of ours listens. With psu.sca: manual give an http address of this machine, such as http://localhost:8970/redirect.`,
    );
  }
  const server = createServer();
  try {
    await listen(server, Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    onListening();
    return await firstReturn(server, redirectUri, origin, timeoutMs);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new ScaWalkError(
      'cannot-walk',
      `Nothing can listen at psu.redirectUri (${host}:${port}): ${error instanceof Error ? error.message : String(error)}.`,
    );
  });
}

function firstReturn(
  server: Server,
  redirectUri: string,
  origin: string,
  timeoutMs: number,
): Promise<ScaReturn> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ScaWalkError('stuck', `Nobody came back from SCA within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    server.on('request', (request, response) => {
      const address = origin + (request.url ?? '/');
      const isReturn = isReturnTo(redirectUri, address);
      response.writeHead(isReturn ? 200 : 404, {
        'Content-Type': 'text/plain; charset=utf-8',
        Connection: 'close',
      });
      response.end(isReturn ? 'Done. You can close this page.\n' : 'Nothing here.\n', () => {
        if (!isReturn) return;
        clearTimeout(timer);
        resolve(readScaReturn(address));
      });
    });
  });
}
