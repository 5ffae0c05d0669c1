import { describe, expect, it } from 'vitest';
import { unanswered } from './fake-transport.test.data.ts';
import { Redactor } from './redaction.ts';

const psuId = '7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11';

describe('a secret that a bank writes in its own way', () => {
  const token = 'sYnth3tic-Token-90210';
  const ofBank = new Redactor({
    psu: { id: psuId, nationalId: '01819010001' },
    customHeaders: { Authorization: `Bearer ${token}` },
  });
  const hex = (text: string): string => Buffer.from(text).toString('hex');
  const wide = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
  it.each([
    ['a number without the zero in front', '{"customer":1819010001}', '1819010001'],
    ['a number with dots', 'Born 01.81.90.10001', '10001'],
    ['a number with its century', 'PSU 0181199010001', '10001'],
    ['a number with its century and a space', 'PSU 01811990 10001', '10001'],
    ['a number behind a day in ISO form', '{"psu":"1990-81-01 10001"}', '10001'],
    ['a number of a stranger with its century', 'PSU 15.01.1985 10100', '10100'],
    ['a number of a stranger behind a tab', 'PSU 150185\t10100', '10100'],
    ['a number of a stranger behind a colon', 'PSU 150185:10100', '10100'],
    ['a number of a stranger in a list', 'PSU 150185, 10100', '10100'],
    ['a number of a stranger with two spaces', 'PSU 150185  10100', '10100'],
    ['an id without dashes', psuId.replaceAll('-', '').toUpperCase(), '8A534B7E'],
    ['a number in a dump by fours', `00000000: ${hex('PSU=01819010001;').replace(/.{4}/g, '$& ')}`, '3831'],
    ['a token in wide letters', token.replace(/\d/g, wide), wide('9')],
    ['an id with underscores', psuId.replaceAll('-', '_'), psuId.slice(-12)],
    ['an id with what nobody sees in it', psuId.replace('-', '-\u200b'), psuId.slice(-12)],
    ['a token without its scheme', `The token ${token} is unknown`, token],
    ['a token in capitals', `The token ${token.toUpperCase()} is unknown`, 'TOKEN-90210'],
    ['a number that was cut', 'PSU 0181901000… is unknown', '0181901000'],
    [
      'an id at the end of a message that was cut',
      `{"text":"PSU-ID ${psuId.slice(0, 30)}"}`,
      psuId.slice(0, 30),
    ],
    ['credentials of somebody else', 'Authorization: Basic dXNlcjpwYXNz was refused', 'dXNlcjpwYXNz'],
    ['a web token', `{"consent":"eyJhbGciOiJub25lIn0.${'e30'.repeat(9)}.c2ln"}`, 'eyJhbGci'],
  ])('hides %s', (_, text, secret) => {
    expect(text).toContain(secret);
    expect(ofBank.text(text)).toMatch(/redacted\]/);
    expect(ofBank.text(text)).not.toContain(secret);
  });

  it('hides what a fault has made of it, in whichever way the bank repeats that', () => {
    const altered = `${psuId.slice(0, -1)}7`;
    ofBank.learn({ ...unanswered, request: { ...unanswered.request, headers: [['PSU-ID', altered]] } });
    for (const written of [[...altered].reverse().join(''), [...altered].join(' '), altered.toUpperCase()]) {
      expect(ofBank.text(`PSU ${written} is unknown`)).toMatch(
        /^PSU \[psu-id#\d(?: in spelling 2)?, redacted\] is unknown$/,
      );
    }
  });

  it('leaves words that are none of these', () => {
    for (const text of [
      'Basic authentication is needed',
      'eyJ is how JSON begins in Base64',
      '01.02.2026 10:00',
      '2026-11-18 12345, 18.11.2026 54321 and 181126, 10000',
      // Not nearly all of it.
      '018190 and 7c1f7b0e-8a53',
    ])
      expect(ofBank.text(text)).toBe(text);
  });
});
