import { parentPort } from 'node:worker_threads';
import { startEmbeddedBank } from './embedded-bank.ts';
import { embeddedPki } from './embedded-pki.ts';

/** The thread of {@link startEmbeddedBank}: it tells its target file once it listens, and answers until it is ended. */
const { targetText } = await startEmbeddedBank({ pki: await embeddedPki() });
parentPort?.postMessage(targetText);
