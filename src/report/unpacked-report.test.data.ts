import { gunzipSync } from 'node:zlib';
import type { AllureParts } from './sealed-html.ts';

/** What a browser unpacks of a sealed page. */
export function unpackedReport(html: string): AllureParts {
  const packed = /<script type="application\/gzip" id="packed">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  const { app, options, files, texts } = JSON.parse(
    gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'),
  ) as Pick<AllureParts, 'app' | 'options'> & { files: Record<string, number>; texts: string[] };
  const data = Object.entries(files).map(([path, place]) => [path, texts[place] ?? '']);
  return { app, options, data: Object.fromEntries(data) };
}

/** A file of the report, as Allure's script reads it. */
export const reportFile = (html: string, path: string): unknown =>
  JSON.parse(unpackedReport(html).data[path] ?? 'null');
