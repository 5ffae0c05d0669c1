import { parentPort } from 'node:worker_threads';
import { startEmbeddedBank } from './embedded-bank.ts';

/** The thread of {@link startEmbeddedBank}: it tells its target file once it listens, and answers until it is ended. */
const { targetText } = await startEmbeddedBank();
parentPort?.postMessage(targetText);
