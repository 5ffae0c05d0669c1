import { describe, expect, test } from 'vitest';
import {
  harmlessLines,
  htmlText,
  oneLine,
  terminalJson,
  withoutLinks,
  xmlAttribute,
  xmlText,
} from './harmless-text.ts';

test('text of XML is shown as it is written, because build servers show it to people', () => {
  for (const write of [xmlText, xmlAttribute])
    expect(write('a\u202eb\u2066\u200b<\u001b')).toBe('a\\u{202e}b\\u{2066}\\u{200b}&lt;\\u{1b}');
});

test('text of XML commands neither a terminal nor a build server that prints it', () => {
  expect(xmlText('418\n::error file=a::b\u0085\u009b31m ##vso[task.complete]##[c]')).toBe(
    '418\n\\x3a:error file=a::b\\u{85}\\u{9b}31m \\x23#vso[task.complete]\\x23#[c]',
  );
  expect(xmlText('blåbær € 😀 a::b')).toBe('blåbær € 😀 a::b');
});

describe('text for a terminal', () => {
  test.each([
    ['escapes', '\u001b[2J\u0007a\u009bb', '\\x1b[2J\\x07a\\x9bb'],
    ['text that is turned around', 'a\u202eb\u2066\ufeff', 'a\\u{202e}b\\u{2066}'],
    ['hidden characters', 'a\u200bb\u{e0041}', 'a\\u{200b}b\\u{e0041}'],
    ['a workflow command', '::error file=a::b', '\\x3a:error file=a::b'],
    ['a workflow command after a line break', '\r\n ::error::b', '\\x3a:error::b'],
    ['a workflow command that a line may begin with later', 'told ::error::b ::1', 'told \\x3a:error::b ::1'],
    [
      'older commands in the middle',
      'a ##[error]b ##vso[task.x] ##TeamCity[y]',
      'a \\x23#[error]b \\x23#vso[task.x] \\x23#TeamCity[y]',
    ],
    ['nothing in what is harmless', 'a::b ## [c] # d', 'a::b ## [c] # d'],
  ])('shows %s', (_, text, shown) => {
    expect(oneLine(text)).toBe(shown);
  });

  test('keeps its own lines and their indents', () => {
    expect(harmlessLines('Refused:\n  a: \u001b[2J\n  ::error::b\nEnd.')).toBe(
      'Refused:\n  a: \\x1b[2J\n  \\x3a:error::b\nEnd.',
    );
  });

  test('as JSON commands no build server and says the same', () => {
    const told = { a: '##vso[task.complete]', b: '##[error]', c: '\n::error::x', d: '\u202e\u009b\u{e0041}' };
    expect(terminalJson(told)).not.toMatch(/##(?:vso)?\[|^::|[\u0080-\u009f\u202e\udb40]/m);
    expect(JSON.parse(terminalJson(told))).toEqual(told);
  });
});

test.each([
  ['see https://evil.example/a and HTTP://x', 'see https: //evil.example/a and HTTP: //x'],
  ['www.evil.example', 'www .evil.example'],
  ['@team, a@b.example', '@ team, a@ b.example'],
  ['#12, !3, octo/repo#4, GH-5', '# 12, ! 3, octo/repo# 4, GH -5'],
  ['[Sign in](//evil.example)', '[Sign in] (//evil.example)'],
  ['[psu-id#1, redacted] and [key#2 of 1 character, redacted]', undefined],
  ['a: b // c, # title, wwwa.b, 3 @ 4 (5)', undefined],
])('nobody makes a link of %j', (text, shown = text) => {
  expect(withoutLinks(text)).toBe(shown);
});

test('text for a page shows what would turn around or hide its neighbours, and keeps its lines', () => {
  expect(htmlText('a\u202eb\u200b\u0000\u001b[2J\n\t<b>"blåbær"</b>')).toBe(
    'a\\u{202e}b\\u{200b}\\u{0}\\u{1b}[2J\n\t&lt;b&gt;&quot;blåbær&quot;&lt;/b&gt;',
  );
});
