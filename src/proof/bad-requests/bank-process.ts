import { startEmbeddedBank } from '../../runner/embedded-bank.ts';
import { embeddedPki } from '../../runner/embedded-pki.ts';
import { generateRsaKey } from '../../signing/signature.ts';

/** What the bank tells whoever started it. */
export interface BankReady {
  readonly targetText: string;
  readonly plainPort: number;
  readonly tlsPort: number;
}

export interface BankMemory {
  readonly heapMegabytes: number;
  readonly residentMegabytes: number;
}

/** Signing has to be right here, not safe: a short key makes it cost next to nothing. */
const modulusLength = 768;

/** Whoever sends a million requests wants to know at once that one was not answered. */
const renewEveryMs = 1000;

/** The reference bank in a process of its own, so that its memory is its own, and its crash is seen. */
const pki = await embeddedPki();
const { privateKey } = await generateRsaKey(modulusLength);
const [tpp, oddIssuer] = await Promise.all([
  pki.ca.issueTpp({ key: privateKey }),
  pki.ca.issueTpp({ key: privateKey }),
]);
const embedded = await startEmbeddedBank({ pki: { ...pki, tpp, oddIssuer } });
const plain = await embedded.bank.listen({ host: '127.0.0.1' });
// A bad request may put the sandbox back to its beginning, and everybody's session with it.
setInterval(() => embedded.renewSessions(), renewEveryMs);

process.on('message', () => {
  for (let time = 0; time < 3; time += 1) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heapMegabytes: heapUsed / 2 ** 20, residentMegabytes: rss / 2 ** 20 });
});
process.on('disconnect', () => process.exit());
process.send?.({
  targetText: embedded.targetText,
  plainPort: plain.port,
  tlsPort: Number(new URL(embedded.baseUrl).port),
} satisfies BankReady);
