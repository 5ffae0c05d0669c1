import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** The floors of the reference bank. What stands in `src/bank` itself puts the bank together. */
const inBank = [
  'src/bank/deviations',
  'src/bank/dialects',
  'src/bank',
  'src/bank/http',
  'src/bank/sandbox',
  'src/bank/accounts',
  'src/bank/payments',
  'src/bank/rules',
  'src/bank/sca',
  'src/bank/design',
  'src/bank/state',
];

/** The folders from top to bottom: each may import only those below it. */
const floors = [
  'suites',
  'src/cli',
  'src/console',
  'src/bench',
  'src/proof',
  'src/vitest',
  'src/api',
  'src/runner',
  'src/report',
  'src/certification',
  ...inBank,
  'src/checks',
  'src/tpp',
  'src/payloads',
  'src/target',
  'src/signing',
  'src/spec',
];

/** Narrower than the floors: the bank never sees the checks, the checks never see the bank. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    inBank.map((floor, index) => [floor, [...inBank.slice(index + 1), 'src/signing', 'src/spec']]),
  ),
  suites: [
    'src/certification',
    'src/checks',
    'src/tpp',
    'src/payloads',
    'src/target',
    'src/signing',
    'src/spec',
  ],
};

const root = resolve(import.meta.dirname, '..');

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = ['src', 'suites'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.(?:data\.)?ts$/.test(name))
    .map((name) => join(folder, name)),
);

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^'";]*?from\s+'(\.[^']+)'/gms)].map(([, path]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), path ?? '')),
  }));
});

/** The longest that fits: `src/bank/state` and not `src/bank`. */
const floorOf = (file: string): string | undefined =>
  floors.filter((floor) => file.startsWith(`${floor}/`)).toSorted((a, b) => b.length - a.length)[0];

test('every folder of the house is known', () => {
  expect(files.filter((file) => floorOf(file) === undefined)).toEqual([]);
});

test('each folder imports only those below it', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [above, below] = [floorOf(from), floorOf(to)];
    if (above === undefined || below === undefined || above === below) return false;
    return allowed[above] === undefined
      ? floors.indexOf(above) > floors.indexOf(below)
      : !allowed[above].includes(below);
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (way.includes(file) || done.has(file)) return;
    for (const imported of next.get(file) ?? []) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

/** Scripts of this repository, the one writer, and who does without it: they redact and clean by themselves. */
const mayPrint = [
  'src/bench/main.ts',
  'src/proof/main.ts',
  'src/runner/write-documents.ts',
  'src/runner/bank-thread.ts',
  'src/tpp/sca/manual-walker.ts',
  'src/vitest/register-conformance.ts',
  'src/cli/terminal.ts',
];

test('nothing is printed past the writer that hides secrets', () => {
  const printing = files.filter((file) =>
    /process\.std(?:out|err)\.write|\bconsole\.\w+\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(printing.filter((file) => !mayPrint.includes(file))).toEqual([]);
});
