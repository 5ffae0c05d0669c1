import type { Link } from '../route.ts';

export type Links = Readonly<Record<string, Link>>;

/** A link to something that can be read. */
export const readable = (href: string): Link => ({ href, verbs: ['GET'] });
