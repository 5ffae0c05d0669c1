import { gunzipSync } from 'node:zlib';
import type { AllureParts } from './sealed-html.ts';

/** What a browser unpacks of a sealed page. */
export function unpackedReport(html: string): AllureParts {
  const packed = /<script type="application\/gzip" id="packed">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'));
}

/** A file of the report, as Allure's script reads it. */
export const reportFile = (html: string, path: string): unknown =>
  JSON.parse(unpackedReport(html).data[path] ?? 'null');
