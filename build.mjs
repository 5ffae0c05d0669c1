import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';

/**
 * Bundles `src` and `suites` into few files: Node takes longer to find and read hundreds of small ones than to run them.
 * Packages stay outside, so that an audit and an update of them reach what is run. Types are checked by `typecheck`.
 *
 * node build.mjs [--out DIR] [--published] [--shrinkwrap]   `--published` leaves out what only this repository uses
 */
const root = dirname(fileURLToPath(import.meta.url));

/** What users start or import, each at the path of its source. */
const published = [
  'src/cli/main.ts',
  'src/api/index.ts',
  'src/vitest/register-conformance.ts',
  'src/runner/descriptions.ts',
  'src/target/compile-target-matcher.ts',
];

const ofThisRepository = [
  'src/bench/main.ts',
  'src/bench/worker.ts',
  'src/proof/main.ts',
  'src/proof/same-as.ts',
  'src/proof/worker.ts',
  'src/runner/write-documents.ts',
  // For the pictures of the console.
  'src/signing/digest.ts',
  'src/signing/identity.ts',
  'src/tpp/exchange.ts',
  'src/tpp/signing-plan.ts',
];

/** Banks in a thread or process of their own share nothing with the others, and come up sooner from one file. */
const aloneAndPublished = ['src/runner/embedded-bank-thread.ts'];
const alone = ['src/proof/bad-requests/bank-process.ts'];

/** The suites of both sides as one file each, by their ids: loaded one by one they take as long as all the rest. */
const joinedSuites = {
  name: 'joined suites',
  setup(build) {
    build.onResolve({ filter: /^suites\/(?:bank|tpp)$/ }, ({ path }) => ({ path, namespace: 'joined' }));
    build.onLoad({ filter: /.*/, namespace: 'joined' }, ({ path }) => {
      const isOfTpps = path === 'suites/tpp';
      const ids = readdirSync(join(root, 'suites'), { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        .filter((name) => name.endsWith('.suite.ts') && name.startsWith('tpp/') === isOfTpps)
        .map((name) => name.slice(0, -'.suite.ts'.length))
        .toSorted();
      const imports = ids.map((id, index) => `import suite${index} from './${id}.suite.ts';`);
      const entries = ids.map((id, index) => `  ${JSON.stringify(id)}: suite${index},`);
      const contents = [...imports, 'export default {', ...entries, '};'].join('\n');
      return { contents, resolveDir: join(root, 'suites') };
    });
  },
};

const settings = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  plugins: [joinedSuites],
  logLevel: 'warning',
  logOverride: { 'import-is-undefined': 'error' },
};

const entries = (files) => files.map((file) => ({ in: file, out: file.slice(0, -'.ts'.length) }));

/** Names, sizes and times of all that goes in: as long as they are the same, what comes out is the same. */
function stampOf(options) {
  const files = ['src', 'suites'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:[jt]s|json)$/.test(name) && !name.includes('.test.'))
      .map((name) => join(folder, name)),
  );
  const facts = [...files, 'build.mjs', 'package.json'].map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return `${file} ${size} ${mtimeMs}`;
  });
  return createHash('sha256')
    .update([...facts.toSorted(), JSON.stringify(options)].join('\n'))
    .digest('hex');
}

async function build(out, isPublished) {
  const stampFile = join(out, '.stamp');
  const stamp = stampOf({ isPublished });
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // Whole, so that nothing survives its source.
  rmSync(out, { recursive: true, force: true });
  await Promise.all([
    bundle({
      ...settings,
      outdir: out,
      entryPoints: [
        ...entries([...published, ...(isPublished ? [] : ofThisRepository)]),
        { in: 'suites/bank', out: 'suites/bank' },
        { in: 'suites/tpp', out: 'suites/tpp' },
      ],
      splitting: true,
      // As deep as the sources, so that the way to the package is as long from everywhere.
      chunkNames: 'src/chunks/[name]-[hash]',
    }),
    bundle({
      ...settings,
      outdir: out,
      entryPoints: entries([...aloneAndPublished, ...(isPublished ? [] : alone)]),
    }),
  ]);
  const { writeDescriptions } = await import(pathToFileURL(join(out, 'src/runner/descriptions.js')).href);
  await writeDescriptions();
  const matcher = join(out, 'src/target/compile-target-matcher.js');
  const { writeTargetMatcher } = await import(pathToFileURL(matcher).href);
  writeTargetMatcher(join(out, 'src/target/target-matcher.cjs'));
  // Node asks for the package of every file that it loads, from folder to folder: here it is found at once.
  writeFileSync(join(out, 'src/chunks/package.json'), '{ "type": "module" }\n');
  // The script in the page of the console is for browsers, and stays as it is.
  cpSync(join(root, 'src/console/browser'), join(out, 'src/console/browser'), { recursive: true });
  writeFileSync(stampFile, stamp);
}

const outAt = process.argv.indexOf('--out');
await build(
  resolve(root, outAt < 0 ? 'dist' : process.argv[outAt + 1]),
  process.argv.includes('--published'),
);
if (process.argv.includes('--shrinkwrap')) writeShrinkwrap();

/** The lock file, for whoever installs the package: npm installs all that it names, so nothing of development is in it. */
function writeShrinkwrap() {
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies: _, ...own } = packages[''];
  const used = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  const shrunk = { ...lock, packages: { ...Object.fromEntries(used), '': own } };
  writeFileSync(join(root, 'npm-shrinkwrap.json'), `${JSON.stringify(shrunk, undefined, 2)}\n`);
}
