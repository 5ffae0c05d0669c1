import { writeRequirementsPage } from './requirements-page.ts';

process.stdout.write(
  (await writeRequirementsPage()) ? 'REQUIREMENTS.md written\n' : 'REQUIREMENTS.md is up to date\n',
);
