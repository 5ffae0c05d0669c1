import { routesOf } from '../bank/bank.ts';
import { compliantDesign } from '../bank/compliant-design.ts';
import { routerOf } from '../bank/http/dispatch.ts';
import type { RecordedExchange } from './recording.ts';

/**
 * Whether recorded exchanges are called what stands at their addresses. Checks look at requests by that name, and a TPP
 * may hand in what it likes: one of another name would be judged by nobody.
 */
export function namesOperations(prefix: string): (exchange: RecordedExchange) => boolean {
  const routers = [...new Set([prefix, ''])].map((each) => routerOf(routesOf(compliantDesign), each));
  return ({ operation, request: { method, target }, response }) => {
    const there = routers.map((find) => find(method, target)).find(({ found }) => found === 'route');
    if (there?.found !== 'route') return operation === 'unknown';
    // What could not be read is refused, wherever it came to.
    return operation === there.route.operation || (operation === 'unknown' && response.status >= 400);
  };
}
