import type { Route } from '../design/route.ts';

export type Match =
  | { readonly found: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly found: 'other-methods'; readonly methods: readonly string[] }
  | { readonly found: 'nothing' };

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Finds the route of a request. A path is taken as it stands: nothing is normalised, so `..` leads nowhere. */
export function routerOf(routes: readonly Route[], prefix: string): (method: string, url: string) => Match {
  const byLength = new Map<number, Pattern[]>();
  for (const route of routes) {
    const pattern: Pattern = { route, segments: segmentsOf(prefix + route.path) };
    byLength.set(pattern.segments.length, [...(byLength.get(pattern.segments.length) ?? []), pattern]);
  }
  // Fixed segments before placeholders: a known product goes before `:product`.
  for (const patterns of byLength.values()) patterns.sort((a, b) => placeholdersIn(a) - placeholdersIn(b));
  return (method, url) => {
    const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
    const matching = (byLength.get(segments.length) ?? []).filter((pattern) => fits(pattern, segments));
    const chosen = matching.find(({ route }) => route.method === method);
    if (chosen === undefined) {
      return matching.length === 0
        ? { found: 'nothing' }
        : { found: 'other-methods', methods: [...new Set(matching.map(({ route }) => route.method))] };
    }
    const params = paramsOf(chosen, segments);
    return params === undefined ? { found: 'nothing' } : { found: 'route', route: chosen.route, params };
  };
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);

const isPlaceholder = (segment: string): boolean => segment.startsWith(':');
const placeholdersIn = ({ segments }: Pattern): number => segments.filter(isPlaceholder).length;

const fits = ({ segments: wanted }: Pattern, segments: readonly string[]): boolean =>
  wanted.every((segment, index) =>
    isPlaceholder(segment) ? segments[index] !== '' : segment === segments[index],
  );

/** Undefined when a segment is no valid percent-encoding. */
function paramsOf(
  { segments: wanted }: Pattern,
  segments: readonly string[],
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      wanted.flatMap((segment, index) =>
        isPlaceholder(segment) ? [[segment.slice(1), decodeURIComponent(segments[index] ?? '')]] : [],
      ),
    );
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
