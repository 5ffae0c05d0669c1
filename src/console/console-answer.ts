import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { policyFor } from '../report/sealed-html.ts';
import type { CertificationEnd } from './certification-view.ts';
import type { ApiAnswer } from './console-api.ts';
import { reportFolder } from './guard.ts';

/** What the console sends. */
export interface ConsoleAnswer {
  readonly status: number;
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As strict as it can be: own style and script, nothing inline, nothing from outside, in no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const sharedHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export const textAnswer = (status: number, content: string): ConsoleAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  content,
});

export const pageAnswer = (status: number, content: string): ConsoleAnswer => ({
  status,
  type: 'text/html; charset=utf-8',
  content,
});

export function apiAnswer(answer: ApiAnswer): ConsoleAnswer {
  const { status } = answer;
  if ('json' in answer) return { status, type: 'application/json', content: JSON.stringify(answer.json) };
  if ('text' in answer) return textAnswer(status, answer.text);
  return {
    status,
    type: 'application/octet-stream',
    content: answer.file,
    headers: { 'Content-Disposition': `attachment; filename="${answer.name}"` },
  };
}

const reportTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
};

/**
 * A report shows what others sent, so that it gets no rights of the console: an origin of its own. Its own policy, which
 * names the one script that may run, holds next to this one; what allure.html unpacks are addresses of its own.
 */
const reportPolicy = [
  'sandbox allow-scripts allow-popups allow-downloads',
  ...policyFor("'unsafe-inline' blob:"),
  "frame-ancestors 'none'",
].join('; ');

/** Only those that the end of a run has named, by their whole address. */
export async function reportAnswer(path: string, end: CertificationEnd | undefined): Promise<ConsoleAnswer> {
  const name = path.slice(reportFolder.length + 1);
  if (end === undefined || !end.reports.includes(name)) return textAnswer(404, 'There is no such report.');
  return {
    status: 200,
    type: reportTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8',
    content: await readFile(join(end.folder, name)),
    headers: { 'Content-Security-Policy': reportPolicy },
  };
}

/** The report of a run that goes on: its style stands in it, and its script is that of the console. */
export const liveReportAnswer = (content: string): ConsoleAnswer => ({
  ...pageAnswer(200, content),
  headers: { 'Content-Security-Policy': policy.replace("style-src 'self'", "style-src 'unsafe-inline'") },
});

export function write(response: ServerResponse, { status, type, content, headers }: ConsoleAnswer): void {
  response.writeHead(status, { ...sharedHeaders, 'Content-Type': type, ...headers });
  response.end(content);
}
