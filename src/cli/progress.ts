import { progressLine } from '../report/console.ts';
import type { RunListener } from '../runner/run.ts';
import type { Terminal } from './terminal.ts';

/** A line that changes in place on a terminal; in a log a plain line now and then. */
export function showProgress(terminal: Terminal, total: number): RunListener & { end(): void } {
  let done = 0;
  let failures = 0;
  let nextTenth = 1;
  const clear = terminal.isTty ? '\r\u001b[2K' : '';
  return {
    judged({ id, verdict, title }) {
      done += 1;
      if (verdict === 'fail' || verdict === 'error') failures += 1;
      if (terminal.isTty) {
        terminal.write(
          clear + progressLine(done, total, failures, `${id} ${title}`).slice(0, terminal.width - 1),
        );
      } else if (done * 10 >= nextTenth * total) {
        nextTenth = Math.floor((done * 10) / total) + 1;
        terminal.write(`${progressLine(done, total, failures)}\n`);
      }
    },
    remark: (text) => terminal.write(`${clear}${text}\n`),
    end: () => terminal.write(clear),
  };
}
