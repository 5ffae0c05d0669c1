import { defaultPaths } from '../target.ts';
import { section } from './json-schema.ts';

export const pathsSchema = section(
  'Where the bank puts its operations, where that differs from the specification and the framework',
  Object.fromEntries(
    Object.entries(defaultPaths).map(([name, path]) => [
      name,
      {
        description: `path of ${path} and of what is below it, after baseUrl; begins with a slash, ends without one`,
        type: 'string',
        pattern: '^(/[^/?#\\s]+)+$',
        default: path,
      },
    ]),
  ),
);
