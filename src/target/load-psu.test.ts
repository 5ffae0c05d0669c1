import { describe, expect, it } from 'vitest';
import { createTargetFolder } from './target-folder.test.data.ts';

const folder = createTargetFolder();

describe('another customer', () => {
  const withOther = async (other: string) => {
    await folder.writeMinimal('other.yaml', (text) =>
      text.replace(/^psu:\n/m, `psu:\n  nationalId: "01819010001"\n  other: ${other}\n`),
    );
    return folder.problemsOf('other.yaml');
  };

  it('is somebody else than the PSU', async () => {
    expect(await withOther('{ nationalId: "01819010001" }')).toEqual([
      expect.stringMatching(/psu\.other\.nationalId: This is that of psu\. Give another customer\.$/),
    ]);
  });

  it('has a PSU-ID and a session, or neither', async () => {
    expect(await withOther('{ id: o }')).toEqual([
      expect.stringMatching(/psu\.other\.sessionId: This is missing\./),
    ]);
    expect(await withOther('{ sessionId: s-9 }')).toEqual([
      expect.stringMatching(/psu\.other\.id: This is missing\./),
    ]);
  });
});

describe('a PSU who acts for a company', () => {
  const withPsu = (psu: string, accounts = '') =>
    folder.writeMinimal('company.yaml', (text) =>
      text.replace(/^psu:\n(?: .*\n)+/m, `psu: ${psu}\n`).replace(/^accounts:\n/m, `accounts:\n${accounts}`),
    );
  const session = 'id: p, sessionId: s-1';

  it('has a PSU-Corporate-ID, and so have the others of its kind', async () => {
    await withPsu(
      `{ context: CORPORATE, ${session}, corporateId: c, nationalId: "987654325", other: { id: o, sessionId: s-2, corporateId: d } }`,
    );
    const { psu } = await folder.load('company.yaml');
    expect(psu).toMatchObject({
      context: 'CORPORATE',
      id: 'p',
      corporateId: 'c',
      other: { corporateId: 'd' },
    });
    expect(psu.corporate).toBeUndefined();
    await withPsu(`{ context: CORPORATE, ${session}, other: { id: o, sessionId: s-2 } }`);
    expect(await folder.problemsOf('company.yaml')).toEqual([
      expect.stringMatching(/psu\.corporateId: This is missing\./),
      expect.stringMatching(/psu\.other\.corporateId: This is missing\. .*acts for a company, too\.$/),
    ]);
  });

  it('stands alone: there is no psu.corporate, and one account to pay from', async () => {
    await withPsu(
      `{ context: CORPORATE, ${session}, corporateId: c, corporate: { id: a, corporateId: b } }`,
      '  corporateDebtor: { bban: "86011117947" }\n',
    );
    expect(await folder.problemsOf('company.yaml')).toEqual([
      expect.stringMatching(/psu\.corporate: With psu\.context CORPORATE psu itself acts for a company/),
      expect.stringMatching(/accounts\.corporateDebtor: .* the company pays from accounts\.debtor/),
    ]);
  });

  it('is no private one: that has neither an agreement nor an organisation number', async () => {
    await withPsu(`{ ${session}, corporateId: c, nationalId: "987654325" }`);
    expect(await folder.problemsOf('company.yaml')).toEqual([
      expect.stringMatching(/psu\.corporateId: .*set psu\.context to CORPORATE/),
      expect.stringMatching(/psu\.nationalId: A national identity number has eleven digits\./),
    ]);
  });
});
