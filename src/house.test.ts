import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freedoms } from './spec/freedoms.ts';

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
  /** `{ type Check, check }` */
  readonly names: string;
}

/** Every file with its text, tests included. */
const texts: ReadonlyMap<string, string> = new Map(
  ['src', 'suites'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')] as const),
  ),
);
const textOf = (file: string): string => texts.get(file) ?? '';

const allText = [...texts.values()].join('\n');

const isOfTests = (file: string): boolean => /\.test\.(?:data\.)?ts$/.test(file);
const files = [...texts.keys()].filter((file) => !isOfTests(file));

const importsOf = (file: string): readonly Import[] =>
  [...textOf(file).matchAll(/^(?:import|export)\s([^'";]*?)from\s+'(\.[^']+)'/gms)].map(
    ([, names = '', path = '']) => ({
      from: file,
      to: relative(root, resolve(root, dirname(file), path)),
      names,
    }),
  );

const imports = files.flatMap(importsOf);

/** The longest that fits: `src/bank/state` and not `src/bank`. */
const floorOf = (file: string): string | undefined =>
  floors.filter((floor) => file.startsWith(`${floor}/`)).toSorted((a, b) => b.length - a.length)[0];

test('every folder of the house is known', () => {
  expect(files.filter((file) => floorOf(file) === undefined)).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s tells of every folder', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const folders = new Set(floors.map((floor) => floor.split('/').slice(0, 2).at(-1)));
  expect([...folders].filter((folder) => !text.includes(`${folder}/`))).toEqual([]);
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

/**
 * Scripts of this repository, the one writer, and who does without it: they redact and clean by themselves, or tell that
 * nothing could be loaded.
 */
const mayPrint = [
  'src/bench/main.ts',
  'src/proof/main.ts',
  'src/runner/write-documents.ts',
  'src/runner/bank-thread.ts',
  'src/runner/open-target.ts',
  'src/tpp/sca/manual-walker.ts',
  'src/vitest/register-conformance.ts',
  'src/cli/terminal.ts',
  'src/cli/main.ts',
];

test('nothing is printed past the writer that hides secrets', () => {
  const printing = files.filter((file) =>
    /process\.std(?:out|err)\.write|\bconsole\.\w+\(/.test(textOf(file)),
  );
  expect(printing.filter((file) => !mayPrint.includes(file))).toEqual([]);
});

test('files are named after what they hold', () => {
  expect(
    [...texts.keys()].filter((file) => /(?:^|[/-])(?:utils?|helpers?|common|misc)\b/.test(file)),
  ).toEqual([]);
});

/** What people, or the build, import from outside. */
const entries = ['src/api/index.ts', 'src/vitest/register-conformance.ts', 'src/runner/descriptions.ts'];

test('nothing is exported that nobody imports', () => {
  const imported = new Map(entries.map((file) => [file, new Set(['*'])]));
  const add = (to: string, names: readonly string[]): void =>
    void imported.set(to, new Set([...(imported.get(to) ?? []), ...names]));
  for (const [file, text] of texts) {
    for (const { to, names } of importsOf(file)) add(to, names.match(/[\w*]+/g) ?? []);
    for (const [, path = ''] of text.matchAll(/\bimport\('(\.[^']+)'\)/g))
      add(relative(root, resolve(root, dirname(file), path)), ['*']);
  }
  const unused = files.flatMap((file) => {
    const names = imported.get(file) ?? new Set();
    const exported = textOf(file).matchAll(
      /^export (?:async )?(?:const|let|function|(?:abstract )?class) (\w+)/gm,
    );
    return [...exported]
      .filter(([, name = '']) => !names.has('*') && !names.has(name))
      .map(([, name]) => `${file}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('rules of the linter are set aside only where what they warn of is meant', () => {
  const meant = ['lint/suspicious/noThenProperty', 'lint/suspicious/noControlCharactersInRegex'];
  // How a table is laid out is no rule of the linter: a row stays a row.
  const isLayout = (file: string, line: string): boolean =>
    /^src\/(?:bank\/(?:deviations|dialects)|proof\/tpp|spec)\//.test(file) &&
    line === '// biome-ignore format';
  const ignored = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^\s*\/\/ (?:biome-ignore|@ts-)[^\s:]*\s*([^\s:]*)/gm)]
      .filter(([line, rule = '']) => !meant.includes(rule) && !isLayout(file, line.trim()))
      .map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(ignored).toEqual([]);
});

test('what a bank may do besides is named in comments as it is listed', () => {
  const known = new Set(freedoms.map(({ id }) => id));
  const named = [...allText.matchAll(/\b[Ff]reedom:? ([a-z]+\/[a-z-]+)/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

test('the command line knows errors by names that they have', () => {
  const [, ...lists] = textOf('src/cli/program.ts').split(/new Set\(\[/);
  const names = lists.flatMap((list) =>
    [...(list.split(']')[0] ?? '').matchAll(/'(\w+Error)'/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(0);
  const isThere = (name = ''): boolean =>
    new RegExp(`override readonly name(?:: string)? = '${name}'`).test(allText);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});
