import { journeys } from '../certification/journeys.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import type { CertificationListener } from '../runner/certification.ts';
import { requirementById } from '../spec/catalogue.ts';
import { painter } from './paint.ts';
import type { Terminal } from './terminal.ts';

/** What a certification tells while it goes on, line by line, so that a log of a build server reads the same. */
export function certificationLog(terminal: Terminal): CertificationListener {
  const paint = painter(terminal.colour);
  const completed = new Set<string>();
  const mandatory = journeys.filter((journey) => journey.mandatory);
  const seen = new Set<string>();
  const observable = [...requirementById.values()].filter(
    ({ side, unobservable }) => side === 'tpp' && unobservable === undefined,
  );
  return {
    exchange: (exchange) => {
      if (exchange.operation === 'page' && exchange.status < 400 && exchange.status !== 303) return;
      const { status, method, path, recorded, at } = exchange;
      const style = status < 400 ? 'green' : recorded.provocation === undefined ? 'yellow' : 'cyan';
      const why = recorded.provocation ?? exchange.answer.messages[0]?.text;
      terminal.write(
        `${[
          paint('gray', at.toISOString().slice(11, 23)),
          paint(style, String(status)),
          method.padEnd(6),
          oneShortLine(path, 100),
          ...(why === undefined ? [] : [paint('gray', oneShortLine(why, 160))]),
        ].join('  ')}\n`,
      );
    },
    handshake: ({ message, code }) =>
      terminal.write(
        `${paint('yellow', 'TLS handshake failed')}  ${oneShortLine(`${code} ${message}`.trim(), 200)}\n`,
      ),
    news: ({ completed: now, seen: requirements, failed }) => {
      for (const { id } of now) {
        completed.add(id);
        const done = mandatory.filter((journey) => completed.has(journey.id)).length;
        terminal.write(
          `${paint('green', '✓ journey')}  ${id}  ${paint('gray', `${done} of ${mandatory.length} mandatory, ${completed.size} of ${journeys.length} in all`)}\n`,
        );
      }
      for (const { id, title, actual = '' } of failed) {
        terminal.write(`${paint('red', `✗ ${id}`)}  ${title}: ${oneShortLine(actual, 240)}\n`);
      }
      if (requirements.length === 0) return;
      for (const id of requirements) seen.add(id);
      terminal.write(
        `${paint('gray', `· seen ${seen.size} of ${observable.length} requirements, new: ${requirements.join(', ')}`)}\n`,
      );
    },
  };
}
