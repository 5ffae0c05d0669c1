import { describe, expect, it } from 'vitest';
import type { Bank } from '../bank/bank.ts';
import { createCertificationBank } from '../certification/certification-bank.ts';
import { journeys } from '../certification/journeys.ts';
import { Session } from '../certification/session.ts';
import { createTestPki } from '../signing/certificate-authority.ts';
import { curlOfStep, readyStep, StepError, type StepOptions, stepTitles } from './journey-steps.ts';

async function certification(): Promise<StepOptions & { readonly bank: Bank }> {
  const { ca, tpp } = await createTestPki({ modulusLength: 512 });
  const session = new Session({
    tool: { name: 'test', version: '0' },
    startedAt: new Date().toISOString(),
    baseUrl: 'https://localhost/psd2',
    trustedAuthorities: [ca.certificatePem],
  });
  const bank = await createCertificationBank({
    trustedAuthorities: [ca.certificatePem],
    signer: await ca.issueTpp({ roles: [] }),
    prefix: '/psd2',
    publicUrl: 'https://localhost/psd2',
    record: (exchange) => session.add(exchange),
  });
  return { bank, session, identity: tpp, connection: { origin: 'https://localhost' } };
}

describe('the steps of journeys', () => {
  it('are there for every journey', () => {
    expect(journeys.filter(({ id }) => stepTitles(id).length === 0)).toEqual([]);
  });

  it('complete every journey when they are taken in order', async () => {
    const options = await certification();
    const { bank, session } = options;
    for (const { id } of journeys) {
      for (const index of stepTitles(id).keys()) {
        const { draft } = await readyStep(id, index, options);
        await bank.inject({
          method: draft.method,
          url: draft.target,
          headers: draft.headers.lines(),
          ...(draft.body === undefined ? {} : { body: draft.body }),
        });
      }
    }
    expect(
      journeys.filter((journey) => journey.completedBy(session) === undefined).map(({ id }) => id),
    ).toEqual([]);
  });

  it('tell what comes before them', async () => {
    const options = await certification();
    await expect(readyStep('status', 0, options)).rejects.toThrow(StepError);
    await expect(readyStep('first-payment', 1, options)).rejects.toThrow('No link scaRedirect is open');
    await expect(readyStep('first-payment', 99, options)).rejects.toThrow('There is no such step');
    await expect(readyStep('toString', 0, options)).rejects.toThrow(StepError);
    expect(await curlOfStep('first-request', 0, options)).toMatch(
      /^curl [\s\S]*https:\/\/localhost\/psd2\/v1\/user$/,
    );
  });
});
