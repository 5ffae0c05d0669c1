import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { starterFile } from './starter-file.ts';
import { testFolder } from './target-folder.test.data.ts';
import { TargetFileError } from './target-problem.ts';
import { isWritable, withReadings, writeReadings } from './write-readings.ts';

const dir = testFolder();

test.skipIf(process.platform === 'win32')(
  'readings leave the mode of a target file and links to it alone',
  () => {
    const file = join(dir, 'bank.yaml');
    const link = join(dir, 'link.yaml');
    writeFileSync(file, 'name: Bank\n');
    chmodSync(file, 0o600);
    symlinkSync('bank.yaml', link);
    writeReadings(link, { basketLimit: '10' });
    expect(readFileSync(file, 'utf8')).toBe('name: Bank\ninterpretations:\n  basketLimit: "10"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(dir).toSorted()).toEqual(['bank.yaml', 'link.yaml']);
  },
);

test.skipIf(process.platform === 'win32')(
  'a target file is kept whole where the new one cannot be written',
  () => {
    const file = join(dir, 'bank.yaml');
    writeFileSync(file, 'name: Bank\n');
    // Nothing can be written next to it.
    writeFileSync(join(dir, `bank.yaml.${process.pid}.part`), 'of somebody else');
    expect(() => writeReadings(file, { basketLimit: '10' })).toThrow('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe('name: Bank\n');
  },
);

test.skipIf(process.platform === 'win32')(
  'a pipe, a folder and nothing are no files to write readings into',
  () => {
    const file = join(dir, 'bank.yaml');
    writeFileSync(file, '');
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    expect([file, dir, join(dir, 'pipe'), join(dir, 'none')].map(isWritable)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  },
);

const odd = `# Far left
name:   "Bank"     # two words
    # indented by nobody
psu: {sca: form,   scaHosts: [ a,   b ]} # comment
`;

describe('readings that are written into a target file', () => {
  const readings = { basketLimit: '10', amountFractionDigits: 'at-most' };

  it.each([
    ['no section', `${odd}accounts:\n  # card: { id: 1 }\n`],
    ['a file without an end of its last line', `${odd}pace: {}`],
    [
      'an empty section',
      `${odd}interpretations:   # see explain\n\n  # basketLimit: "100"\n# Then\npace: {}\n`,
    ],
    [
      'a section',
      `${odd}interpretations:\n      # agreed\n      letters: ascii   # in May\n      # and no other\npace: {}\n`,
    ],
    [
      'lines that end as on Windows',
      `${odd}interpretations:\n    letters: ascii\npace: {}\n`.replaceAll('\n', '\r\n'),
    ],
    ['a file of init', starterFile({ sca: 'form', baseUrl: 'https://bank.example' }, 'x.json').text],
  ])('add lines, and leave all others as they are: %s', (_, text) => {
    const written = withReadings(text, readings) ?? '';
    expect(parse(written)).toMatchObject({ interpretations: readings });
    const added = /^(?:interpretations:| +(?:basketLimit: "10"|amountFractionDigits: at-most))\r?$/;
    const [kept, all] = [text, written].map((shown) => shown.replace(/\r?\n$/, '').split('\n'));
    const isAdded = (line: string, index: number): boolean => added.test(line) && line !== kept?.[index];
    expect(all?.filter((line, index) => !isAdded(line, index))).toEqual(kept);
    // Nothing is left to be done.
    expect(withReadings(written, readings)).toBe(written);
  });

  it.each([
    [
      '{ letters: ascii }   # so',
      '{ letters: ascii, basketLimit: "10", amountFractionDigits: at-most }   # so',
    ],
    ['{}', '{ basketLimit: "10", amountFractionDigits: at-most }'],
    ['null # none', '{ basketLimit: "10", amountFractionDigits: at-most } # none'],
    [
      "\n  basketLimit: '100' # why\n  # x",
      '\n  basketLimit: "10" # why\n  amountFractionDigits: at-most\n  # x',
    ],
  ])('change one line where that is how it is written: %j', (from, to) => {
    expect(withReadings(`${odd}interpretations: ${from}\npace: {}\n`, readings)).toBe(
      `${odd}interpretations: ${to}\npace: {}\n`,
    );
  });

  it('are JSON in JSON', () => {
    const text = '{\n\t"name": "Bank",\n\t"pace": {}\n}\n';
    const written = withReadings(text, readings) ?? '';
    expect(JSON.parse(written)).toEqual({ name: 'Bank', pace: {}, interpretations: readings });
    expect(written.split('\n').filter((line) => !text.split('\n').includes(line))).toEqual([
      '\t"pace": {},',
      '\t"interpretations": { "basketLimit": "10", "amountFractionDigits": "at-most" }',
    ]);
  });

  it('are told to be added by hand where that cannot be', () => {
    const path = join(dir, 'bank.yaml');
    const text = 'name: Bank\n? interpretations\n: \npace: {}\n';
    writeFileSync(path, text);
    expect(() => writeReadings(path, readings)).toThrow(TargetFileError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
