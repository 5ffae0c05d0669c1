import { section, suite } from '../../src/checks/check.ts';
import { domestic } from '../subjects.ts';
import { headerChecks } from './header-checks.ts';

export default suite('Domestic payment headers', section('Endpoints', 'Common request headers'), [
  headerChecks('domestic', domestic.of),
]);
