import { createBank } from '../bank/bank.ts';
import type { BankDesign } from '../bank/design/design.ts';
import { runChecks } from '../checks/engine.ts';
import type { PlacedCheck } from '../checks/judge.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { createRunContext } from '../runner/run-context.ts';
import { createTestPki, type TestPki } from '../signing/test-pki.ts';
import { createTarget } from '../target/create-target.ts';

/** TLS takes no short keys, and long ones take their time: made once, when they are first needed. */
let keys: Promise<TestPki> | undefined;

/** The same over a socket with TLS, for what shows nowhere else. */
export async function runOnSocket(
  checks: readonly PlacedCheck[],
  design: BankDesign,
): Promise<readonly CheckResult[]> {
  keys ??= createTestPki({ hostnames: ['localhost'] });
  const { ca, server, tpp } = await keys;
  const bank = await createBank({ trustedAuthorities: [ca.certificatePem], design });
  try {
    const { baseUrl } = await bank.listen({
      tls: { cert: server.certificatePem, key: server.privateKeyPem },
    });
    const target = createTarget({
      baseUrl,
      identity: tpp,
      tls: { ca: ca.certificatePem },
      accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
      pace: { concurrency: 8, timeoutMs: 5000, retries: 1 },
    });
    const runContext = createRunContext({ target, seed: 1, runs: 1 });
    const results = await runChecks(checks, runContext);
    await runContext.client.options.transport.close();
    return results;
  } finally {
    await bank.close();
  }
}
