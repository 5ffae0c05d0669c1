import type { Exchange } from '../tpp/exchange.ts';
import type { CheckContext } from './context.ts';

/** What shows a verdict: the control, where there is one, and the exchange that it falls on. */
export function evidenceOf(context: CheckContext, failing: Exchange): Exchange[] {
  const control = context.exchanges.find(({ purpose }) => purpose === 'control');
  return control === undefined ? [failing] : [control, failing];
}
