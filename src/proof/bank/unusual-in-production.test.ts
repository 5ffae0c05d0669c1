import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { DesignChange } from '../../bank/design/design-changes.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** What some checks say of a production bank that is unusual. Where money moves, little is sent again or made up. */
async function judged(dialect: string, asked: readonly string[], first: DesignChange = (design) => design) {
  const { checks, keys } = await proofSetup();
  const design = dialectById.get(dialect)?.apply(first(compliantDesign)) ?? compliantDesign;
  const some = checks.filter(({ check }) => asked.includes(check.id));
  const { results } = await judgeBank(design, some, keys, { environment: 'production' });
  return results.filter(({ verdict }) => verdict !== 'pass');
}

test.each(['errors/message', 'errors/html', 'errors/plain-text'])(
  '%s: refusals that look like those of a gateway count, and nothing is taken for lost',
  async (dialect) => {
    const asked = ['NDC-01', 'SIG-01', 'BSK-15', 'OWN-02-deletion', 'ERR-04', 'PST-14'];
    expect(await judged(dialect, asked)).toEqual([]);
  },
  60_000,
);

test.each(['pages/newest-link', 'pages/newest-or-back', 'pages/one-at-a-time'])(
  '%s: what another check has ended is begun again alone',
  async (dialect) => {
    const asked = ['SCA-02-payment', 'SCA-02-approvals', 'ERR-03', 'ERR-03-status', 'PST-01-domestic'];
    const walking = ['RDR-01-approvals', 'RDR-04-payment', 'OWN-03', 'BSK-22', 'PST-01-cross-border'];
    expect(await judged(dialect, [...asked, ...walking])).toEqual([]);
  },
  60_000,
);

test('busy/session: what was turned away because of another request is sent again alone', async () => {
  const asked = ['NDC-01', 'NDC-09', 'NCB-01', 'SGS-16', 'BSK-17', 'BSK-18', 'PST-01-domestic', 'AMT-02'];
  expect(await judged('busy/session', asked)).toEqual([]);
}, 60_000);

test('consents/redirects: a redirect whose host no link has named is that of the bank', async () => {
  const { apply } = dialectById.get('sca-links/relative') ?? {};
  const asked = ['ACC-07', 'RDR-01-elsewhere', 'SIG-01-elsewhere', 'CLK-03-elsewhere'];
  expect(await judged('consents/redirects', asked, apply)).toEqual([]);
}, 60_000);

test('particular/residents: where no account can be made up, an address says nothing of countries', async () => {
  const [open, ...others] = await judged('particular/residents', ['NCB-30', 'NCB-30-accepted', 'NCB-69']);
  expect(open).toMatchObject({ id: 'NCB-30-accepted', verdict: 'not-applicable' });
  expect(others).toEqual([]);
}, 60_000);
