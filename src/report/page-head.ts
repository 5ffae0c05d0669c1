import { htmlText } from './harmless-text.ts';
import type { OverallVerdict } from './outcome.ts';

export interface PageHead {
  readonly title: string;
  readonly style: string;
  readonly language?: string;
  /** The hash of the one script that may run; none may without it. */
  readonly scriptHash?: string;
  /** The page of a run that still goes on: the console fills it by its own script. */
  readonly isLive?: boolean;
}

/** The top of every page of our own. Nothing is loaded from outside, and nothing is sent anywhere. */
export function pageHead({ title, style, language = 'en', scriptHash, isLive = false }: PageHead): string {
  const script = isLive
    ? " script-src 'self'; connect-src 'self';"
    : scriptHash === undefined
      ? ''
      : ` script-src '${scriptHash}';`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${script} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>${isLive ? '\n<script type="module" src="/console/script.js"></script>' : ''}
</head>`;
}

/** A profile and its verdict. That of a conformant one is a tick: its word on each of nine would fill a phone. */
export const profileState = (id: string, verdict: OverallVerdict, word: string): string =>
  verdict === 'conformant'
    ? `<span aria-hidden="true">✓ </span><b>${htmlText(id)}</b><span class="unseen"> ${word}</span>`
    : `<b>${htmlText(id)}</b> ${word}`;

/** `2026-03-01 10:00:00 UTC` */
export const isoTime = (time: string): string => time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** Where `report.html` shows a check. Opening the address opens what it stands in. */
export const checkAnchor = (id: string): string => `check-${id.replaceAll(/[^\w.-]/g, '_')}`;
