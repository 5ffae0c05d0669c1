import { createRequire } from 'node:module';
import type forge from 'node-forge';

/**
 * Parts of node-forge by themselves: all of it takes five times as long to load. They are required, not imported: looking for
 * what could be imported of them takes Node longer than running them.
 */
const load = createRequire(import.meta.url);

export const asn1 = load('node-forge/lib/asn1.js') as typeof forge.asn1;
export const util = load('node-forge/lib/util.js') as typeof forge.util;
