import { section, suite } from '../../src/checks/check.ts';
import { crossBorder } from '../subjects.ts';
import { headerChecks } from './header-checks.ts';

export default suite('Cross-border payment headers', section('Endpoints', 'Common request headers'), [
  headerChecks('crossBorder', crossBorder.of),
]);
