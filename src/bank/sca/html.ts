const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to send as it is. Only `html` makes it, so nothing gets into a page without being escaped. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | undefined | false | readonly Html[];

/** A template whose values are escaped unless they are markup themselves; undefined and false leave nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: texts.map((text, index) => text + markupOf(parts[index])).join('') };
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  }
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('\n');
}
