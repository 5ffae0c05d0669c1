import { describe, expect, it } from 'vitest';
import { loadCoverage } from '../runner/coverage.ts';
import { requirements } from '../spec/catalogue.ts';
import { interpretationList } from '../spec/interpretations.ts';
import { explain, renderExplanation } from './explain.ts';
import { tell } from './run-program.test.data.ts';

const plain = { colour: false, width: 100 };

describe('explain', () => {
  it('tells of a requirement what it says, how it is judged and how it is fixed', async () => {
    const { exitCode, out } = await tell('explain', 'dig-03');
    expect(exitCode).toBe(0);
    expect(out).toContain('DIG-03  must, binds the bank');
    expect(out).toContain('Section: Endpoints / Common request headers');
    expect(out).toContain('Check DIG-03-cross-border');
    expect(out).toMatch(/1\. Send a domestic payment without any fault/);
    expect(out).toMatch(/Expected {2}a refusal/);
    expect(out).toContain('Typical causes, and what remedies them');
    expect(out).toContain('DIG-03/unchecked');
  });

  it('tells of a profile which requirements it holds', async () => {
    const { exitCode, out } = await tell('explain', 'corporate-psus');
    expect(exitCode).toBe(0);
    expect(out).toContain('Corporate PSUs, version 1.0, for a bank');
    expect(out).toContain('It includes core');
    expect(out).toMatch(/^ {2}COR-01 /m);
    expect(out).not.toMatch(/^ {2}NDC-01 /m);
  });

  it('tells of a profile of TPPs which journeys it takes', async () => {
    const { out } = await tell('explain', 'signing-baskets');
    expect(out).toMatch(/certify-tpp --profile\s+signing-baskets, with the\s+journeys basket\./);
  });

  it('tells of a reading which values it has and which is the default', async () => {
    const { out } = await tell('explain', 'basketLimit');
    expect(out).toContain('100 (default)');
    expect(out).toContain('interpretations.basketLimit');
    expect(out).toContain('BSK-14');
  });

  it('tells why no check judges what none can observe', async () => {
    expect((await tell('explain', 'SES-06')).out).toContain('No check judges it: it takes 180 days.');
  });

  it('explains what is demanded of a TPP, and how it is judged', async () => {
    const { out } = await tell('explain', 'TPP-08');
    expect(out).toContain('binds the TPP');
    expect(out).toMatch(/Check TPP-08/);
    expect(out).toContain('Run it: npx xs2a-conformance certify-tpp');
  });

  it('suggests the id that was meant', async () => {
    expect(await tell('explain', 'DGI-03')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('Did you mean DIG-03?'),
    });
  });

  it('has something to say of every requirement, check and interpretation', async () => {
    const coverage = await loadCoverage();
    const ids = [
      ...requirements.map(({ id }) => id),
      ...coverage.checks.map(({ check }) => check.id),
      ...interpretationList.map(({ id }) => id),
    ];
    for (const id of ids) expect(renderExplanation(explain(id, coverage), plain).length).toBeGreaterThan(40);
  });

  it('gives programs the same as data', async () => {
    const { out } = await tell('explain', 'AMT-02', '--json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'requirement',
      id: 'AMT-02',
      readings: [{ id: 'amountFractionDigits', default: 'exact' }],
    });
  });
});
