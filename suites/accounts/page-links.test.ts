import { expect, it } from 'vitest';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { mustBeOfTheInterface } from './page-links.ts';

it('a link to a page of the interface has /v1 in its path, unless it begins further down', () => {
  const right = [
    'https://bank.example/prefix/v1/accounts/1/transactions?limit=200',
    'https://bank.example/v1/information/accounts/1/transactions?limit=200',
    '/accounts/1/transactions?limit=200',
    'https://bank.example/pages/transactions?limit=200',
  ];
  expect(() => mustBeOfTheInterface(right)).not.toThrow();
  expect(() => mustBeOfTheInterface(['https://bank.example/accounts/1/transactions?limit=200'])).toThrow(
    ExpectationFailed,
  );
});
