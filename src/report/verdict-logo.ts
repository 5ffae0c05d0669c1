import type { OverallVerdict } from './outcome.ts';

const marks: Readonly<Record<OverallVerdict, { readonly colour: string; readonly path: string }>> = {
  conformant: { colour: '#1a7f4b', path: 'M14 25l7 7 14-15' },
  'non-conformant': { colour: '#c02f2f', path: 'M16 16l16 16M32 16L16 32' },
  incomplete: { colour: '#a15c00', path: 'M24 13v14M24 34v1' },
};

/** The verdict as a picture, in the page itself: shape and colour both tell it. */
export function verdictLogo(verdict: OverallVerdict): string {
  const { colour, path } = marks[verdict];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="${colour}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
