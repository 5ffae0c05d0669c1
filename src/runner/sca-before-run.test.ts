import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compliantDesign } from '../bank/compliant-design.ts';
import { dialectById } from '../bank/dialects/index.ts';
import { loadTarget } from '../target/load-target.ts';
import type { Target } from '../target/target.ts';
import { ScaWalkError, type ScaWalker } from '../tpp/sca/sca-walker.ts';
import { type EmbeddedBank, startEmbeddedBank } from './embedded-bank.ts';
import { embeddedPki } from './embedded-pki.ts';
import { createRunContext } from './run-context.ts';
import { passScaBeforeRun } from './sca-before-run.ts';

let embedded: EmbeddedBank;
beforeAll(async () => {
  embedded = await startEmbeddedBank({ pki: await embeddedPki() });
});
afterAll(() => embedded.close());

/** The reference bank, as a target file that leaves SCA to the run would describe it. */
const targetWith = (psu: object, changes: object = {}, { description } = embedded): Promise<Target> =>
  loadTarget({ text: JSON.stringify({ ...description, ...changes, psu }) }, {}, {});

const psuIdOf = (nationalId: string, { bank, pki } = embedded) =>
  bank.psuIdOf(pki.tpp.certificate, nationalId);

/** The company pays from the one account that there is then. */
const forCompanies = () => ({ accounts: { debtor: embedded.description.accounts.debtor } });

/** Passes SCA, and loses the first answers of it on the way. */
async function passed(target: Target, losing = 0) {
  const runContext = createRunContext({ target, seed: 1, runs: 1 });
  let walks = 0;
  const walker: ScaWalker = {
    ...runContext.walker,
    async pass(...asked) {
      const back = await runContext.walker.pass(...asked);
      walks += 1;
      if (walks <= losing) throw new ScaWalkError('lost', 'The SCA page gave no answer to POST.');
      return back;
    },
  };
  try {
    const outcome = await passScaBeforeRun(target, runContext.client, walker);
    const { id, corporateId } = outcome.passed ?? {};
    const psu = {
      ...runContext.client.psu,
      ...(id === undefined ? {} : { id }),
      ...(corporateId === undefined ? {} : { corporateId }),
    };
    const accounts = await runContext.client.with({ psu }).call({ operation: 'listAccounts' });
    return { ...outcome, status: accounts.status };
  } finally {
    await runContext.close();
  }
}

/** Where the paths that SCA begins at otherwise are not to be found. */
const nowhere = { accounts: '/v1/nowhere', user: '/v1/nobody' };

const nobody = '99999999999';
const [kari, spare, manager] = ['01819010001', '12848510058', '17887610096'];

describe('SCA before the run', () => {
  it('yields the PSU-ID and the session in which accounts can be read at once', async () => {
    const target = await targetWith({ sca: 'form', nationalId: spare });
    const { blocker, passed: psu, status } = await passed(target);
    expect(blocker).toBeUndefined();
    expect(psu).toEqual({
      id: psuIdOf(spare),
      sessionId: target.psu.sessionId,
    });
    expect(status).toBe(200);
  });

  it('yields the corporate PSU as well', async () => {
    const target = await targetWith({
      sca: 'form',
      nationalId: spare,
      corporate: { nationalId: manager, sessionId: 'c-1' },
    });
    const [agreement] = embedded.bank.state.customers.ownAgreementsOf(manager);
    expect((await passed(target)).passed?.corporate).toEqual({
      id: psuIdOf(manager),
      corporateId: agreement?.id,
      sessionId: 'c-1',
      nationalId: manager,
    });
  });

  it('yields the PSU-Corporate-ID of a PSU who acts for a company', async () => {
    const target = await targetWith(
      { sca: 'form', context: 'CORPORATE', nationalId: manager },
      forCompanies(),
    );
    const [agreement] = embedded.bank.state.customers.ownAgreementsOf(manager);
    const { passed: psu, status } = await passed(target);
    expect(psu).toEqual({
      id: psuIdOf(manager),
      corporateId: agreement?.id,
      sessionId: target.psu.sessionId,
    });
    expect(status).toBe(200);
  });

  it('tells those who need a company that its PSU could not pass', async () => {
    const target = await targetWith(
      { sca: 'form', context: 'CORPORATE', nationalId: nobody },
      forCompanies(),
    );
    const { problem, corporateProblem } = await passed(target);
    expect(problem).toBeDefined();
    expect(corporateProblem).toBe(problem);
  });

  it('is begun again where a form of it was lost, for a while', async () => {
    const target = await targetWith({ sca: 'form', nationalId: spare });
    const { problem, status } = await passed(target, 2);
    expect([problem, status]).toEqual([undefined, 200]);
    expect((await passed(target, 9)).problem).toContain('gave no answer to POST');
  });

  it('is begun by the clock of the bank, however far ours is off, where it begins with accounts only', async () => {
    const clock = { now: () => new Date(Date.now() + 300_000) };
    const ahead = await startEmbeddedBank({ pki: embedded.pki, clock });
    try {
      const text = JSON.stringify({
        ...ahead.description,
        paths: { user: nowhere.user },
        psu: { sca: 'form', nationalId: spare },
      });
      const { problem, status } = await passed(await loadTarget({ text }, {}, {}));
      expect([problem, status]).toEqual([undefined, 200]);
    } finally {
      await ahead.close();
    }
  });

  it('leaves a target alone that says all that is needed', async () => {
    const { passed: psu, remarks, status } = await passed(await targetWith(embedded.description.psu));
    expect([psu, remarks, status]).toEqual([undefined, [], 200]);
  });

  it('does not end the private session for a corporate one of the same person', async () => {
    const target = await targetWith({ sca: 'form', nationalId: spare, corporate: { nationalId: spare } });
    const { passed: psu, remarks } = await passed(target);
    expect(psu?.corporate).toBeUndefined();
    expect(remarks).toEqual([expect.stringContaining('psu.corporate.nationalId is that of psu itself')]);
  });

  it('tells in one message why SCA was not passed', async () => {
    const unknown = await targetWith({ sca: 'form', nationalId: nobody });
    expect((await passed(unknown)).problem).toMatch(
      /SCA could not be passed before the run. The SCA page .*comes back after it was filled in.*psu\.form/s,
    );
    const elsewhere = { environment: 'production', sandbox: undefined, paths: nowhere };
    const target = await targetWith({ sca: 'form', nationalId: kari }, elsewhere);
    expect((await passed(target)).problem).toMatch(
      /No request was answered 401 with a link scaRedirect:\n.*nowhere: 404.*\n.*nobody: 404/,
    );
  });

  it('tells of the corporate PSU as well, whose turn did not come', async () => {
    const corporate = { nationalId: manager, sessionId: 'c-1' };
    const { problem, corporateProblem } = await passed(
      await targetWith({ sca: 'form', nationalId: nobody, corporate }),
    );
    expect(problem).toBeDefined();
    expect(corporateProblem).toBe(problem);
  });

  it('remarks on a corporate PSU who cannot pass, and goes on', async () => {
    const target = await targetWith({
      sca: 'form',
      nationalId: spare,
      corporate: { nationalId: nobody },
    });
    const { blocker, passed: psu, corporateProblem, remarks } = await passed(target);
    expect([blocker, psu?.corporate]).toEqual([undefined, undefined]);
    expect(corporateProblem).toContain('SCA could not be passed for psu.corporate');
    expect(remarks).toEqual([corporateProblem]);
  });

  it('begins with the first payment that the bank does not exempt from SCA', async () => {
    const design = dialectById.get('exemptions/every-third')?.apply(compliantDesign) ?? compliantDesign;
    const exempting = await startEmbeddedBank({ design, pki: await embeddedPki() });
    try {
      const target = await targetWith({ sca: 'form', nationalId: kari }, { paths: nowhere }, exempting);
      const { passed: psu, problem } = await passed(target);
      expect([problem, psu?.id]).toEqual([undefined, psuIdOf(kari, exempting)]);
    } finally {
      await exempting.close();
    }
  });

  // The last one: it ends the session that the bank was started with.
  it('begins with a payment at a bank that offers nothing else', async () => {
    const { nationalId = '' } = embedded.description.psu.corporate ?? {};
    const target = await targetWith(
      { sca: 'form', nationalId: kari, corporate: { nationalId, sessionId: 'c-2' } },
      { paths: nowhere },
    );
    const { passed: psu, problem } = await passed(target);
    expect(problem).toBeUndefined();
    expect(psu).toMatchObject({
      id: psuIdOf(kari),
      corporate: { id: psuIdOf(nationalId) },
    });
  });
});
