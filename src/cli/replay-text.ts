import type { CheckResult } from '../checks/verdict.ts';
import { requestText, responseText, shortened } from '../report/exchange-text.ts';
import { oneLine } from '../report/harmless-text.ts';
import { requirementById } from '../spec/catalogue.ts';
import { painter } from './paint.ts';

const longestBody = 4_000;

/** What was expected and what came, then and now, with the exchanges of now. */
export function renderReplay(
  earlier: CheckResult,
  now: CheckResult,
  { colour }: { readonly colour: boolean },
): string {
  const paint = painter(colour);
  const style = now.verdict === 'pass' ? 'green' : 'red';
  const statements = now.requirements.flatMap((id) => {
    const requirement = requirementById.get(id);
    return requirement === undefined ? [] : [`  ${id} (${requirement.level}): ${requirement.statement}`];
  });
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Then', `${earlier.verdict}${earlier.reason === undefined ? '' : `: ${earlier.reason}`}`],
    ['Now', now.verdict],
    ['Reason', now.expected === undefined ? now.reason : undefined],
    ['Expected', now.expected],
    ['Actual', now.actual],
    ['Case', now.counterexample?.value],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${paint('gray', name.padEnd(9))} ${oneLine(value)}`],
  );
  const exchanges = now.exchanges.map((exchange) =>
    [
      paint(
        'bold',
        `── ${exchange.purpose === '' ? exchange.operation : exchange.purpose} (${exchange.durationMs} ms)`,
      ),
      visible(requestText(exchange)),
      '',
      visible(responseText(exchange)),
    ].join('\n'),
  );
  return [
    [
      `${paint(style, now.verdict.toUpperCase())}  ${paint('bold', now.id)}  ${now.title}`,
      ...statements,
    ].join('\n'),
    lines.join('\n'),
    ...exchanges,
  ].join('\n\n');
}

/** Line by line, so that the shape stays and a bank's control characters do not reach the terminal. */
const visible = (text: string): string =>
  shortened(text, longestBody)
    .split('\n')
    .map((line) => `  ${oneLine(line)}`.trimEnd())
    .join('\n');
