import { section, suite } from '../../src/checks/check.ts';
import { sandbox } from '../subjects.ts';
import { headerChecks } from './header-checks.ts';

export default suite('Sandbox listing headers', section('Endpoints', 'Common request headers'), [
  headerChecks('sandbox', sandbox.of),
]);
