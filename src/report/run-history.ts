import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A run as Allure's history holds it. Only what orders and tells runs apart is looked at here. */
export interface HistoryPoint {
  readonly uuid: string;
  readonly timestamp: number;
}

const longestHistory = 50;

/** The runs before this one. The run itself is left out, since a report may be built again and again. */
export async function readEarlierRuns(
  path: string,
  { uuid, timestamp }: HistoryPoint,
): Promise<readonly HistoryPoint[]> {
  const points = await readPoints(path);
  return points.filter((point) => point.uuid !== uuid && point.timestamp < timestamp);
}

/** Adds a run, or replaces it where it was there already. */
export async function rememberRun(path: string, point: HistoryPoint): Promise<void> {
  const others = (await readPoints(path)).filter(({ uuid }) => uuid !== point.uuid);
  const points = [...others, point].toSorted((a, b) => a.timestamp - b.timestamp).slice(-longestHistory);
  await writeHistory(path, points);
}

/** Written to a second file and renamed, so that a killed process leaves no half of a history. */
export async function writeHistory(path: string, points: readonly HistoryPoint[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, points.map((point) => `${JSON.stringify(point)}\n`).join(''));
  await rename(draft, path);
}

async function readPoints(path: string): Promise<readonly HistoryPoint[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const point = parsePoint(line);
    return point === undefined ? [] : [point];
  });
}

/** A line that cannot be read costs one point of a trend, never a report. */
function parsePoint(line: string): HistoryPoint | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isHistoryPoint(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHistoryPoint(value: unknown): value is HistoryPoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uuid' in value &&
    typeof value.uuid === 'string' &&
    'timestamp' in value &&
    typeof value.timestamp === 'number'
  );
}
