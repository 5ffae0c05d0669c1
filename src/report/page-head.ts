import { htmlText } from './harmless-text.ts';

export interface PageHead {
  readonly title: string;
  readonly style: string;
  readonly language?: string;
  /** The hash of the one script that may run; none may without it. */
  readonly scriptHash?: string;
}

/** The top of every page of our own. Nothing is loaded from outside, and nothing is sent anywhere. */
export function pageHead({ title, style, language = 'en', scriptHash }: PageHead): string {
  const script = scriptHash === undefined ? '' : ` script-src '${scriptHash}';`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${script} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>`;
}
