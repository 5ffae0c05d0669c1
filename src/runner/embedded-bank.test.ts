import { describe, expect, it } from 'vitest';
import { capabilities, missingCapability } from '../target/capabilities.ts';
import { loadTarget } from '../target/load-target.ts';
import { type EmbeddedBankOptions, startEmbeddedBank } from './embedded-bank.ts';
import { embeddedPki } from './embedded-pki.ts';

async function missingOf(environment: NonNullable<EmbeddedBankOptions['environment']>) {
  const { targetText, close } = await startEmbeddedBank({ environment, pki: await embeddedPki() });
  try {
    const target = await loadTarget({ text: targetText }, { allowProductionPayments: true }, {});
    return capabilities.filter((capability) => missingCapability(target, capability) !== undefined);
  } finally {
    await close();
  }
}

describe('the target file of the reference bank', () => {
  it('has whatever a check of a sandbox may need', async () => {
    expect(await missingOf('sandbox')).toEqual(['production']);
  });

  it('has in production all but what belongs to a sandbox', async () => {
    expect(await missingOf('production')).toEqual(['sandbox-changes', 'initial-data-set', 'sandbox']);
  });
});
