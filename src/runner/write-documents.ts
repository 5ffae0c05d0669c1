import { catalogueVersion } from '../spec/catalogue.ts';
import { keepCatalogue, writeRequirementsPage } from './documents.ts';

const told = (document: string, wasWritten: boolean): string =>
  `${document} ${wasWritten ? 'written' : 'is up to date'}\n`;

process.stdout.write(told('REQUIREMENTS.md', await writeRequirementsPage()));
try {
  process.stdout.write(told(`fixtures/catalogue/${catalogueVersion}.json`, keepCatalogue()));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
