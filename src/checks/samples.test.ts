import { expect, test } from 'vitest';
import { fakeRunContext, refusal } from './fake-run-context.test.data.ts';
import { answersSoFar } from './samples.ts';

test('a production bank without payments shows a refusal as well, and is asked once for all checks', async () => {
  const runContext = fakeRunContext(() => refusal(), { target: { environment: 'production' } });
  for (const [place, id] of ['TRN-03-errors', 'TRN-05'].entries()) {
    const context = runContext.contextFor(id, place);
    expect((await answersSoFar(context, 'refusals')).map(({ status }) => status)).toEqual([400]);
  }
  expect(runContext.transport.requests.map(({ method }) => method)).toEqual(['GET']);
});
