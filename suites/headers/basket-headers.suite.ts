import { section, suite } from '../../src/checks/check.ts';
import { basket } from '../subjects.ts';
import { headerChecks } from './header-checks.ts';

export default suite('Signing basket headers', section('Endpoints', 'Common request headers'), [
  headerChecks('basket', basket.of),
]);
