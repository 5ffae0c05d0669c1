import { section, suite } from '../../src/checks/check.ts';
import { everyOperation } from '../subjects.ts';
import { headerChecks } from './header-checks.ts';

export default suite(
  'Request headers',
  section('Endpoints', 'Common request headers'),
  everyOperation.map(({ headers, of }) => headerChecks(headers, of)),
);
