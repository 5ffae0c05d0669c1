import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { products } from '../spec/products.ts';
import { createTarget, type TargetParts } from '../target/target.ts';
import { fakeTransport, responseOf } from '../tpp/fake-transport.test.data.ts';
import type { WireRequest } from '../tpp/transport.ts';
import { learnTheLetters } from './learn-accepted-payments.ts';
import { createRunContext } from './run-context.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const isAscii = ({ body }: WireRequest): boolean => /^[\x20-\x7e]*$/.test(body?.toString('utf8') ?? '');
const isAbroad = ({ target }: WireRequest): boolean => target.includes(products.crossBorder.path);

/** What is learned of a bank that gives that status to some payments, and takes the others. */
async function learned(
  isRefused: (request: WireRequest) => boolean,
  { status = 400, ...parts }: Partial<TargetParts> & { readonly status?: number } = {},
) {
  const transport = fakeTransport((request) => responseOf(isRefused(request) ? status : 201));
  const target = createTarget({
    baseUrl: 'https://bank.example',
    environment: 'sandbox',
    identity,
    accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
    ...parts,
  });
  const runContext = createRunContext({ target, seed: 7, runs: 1, transport, patienceMs: 1 });
  return { ...(await learnTheLetters(runContext, 7)), sent: transport.requests.length };
}

describe('the letters that a bank can process', () => {
  it('are those of Norway where it takes them', async () => {
    expect(await learned(() => false)).toMatchObject({ letters: 'norwegian', remarks: [], sent: 2 });
  });

  it('are those of ASCII where it refuses others, whatever the status: the checks judge that', async () => {
    for (const status of [400, 422]) {
      const { letters, remarks } = await learned((request) => !isAscii(request), { status });
      expect(letters).toBe('ascii-only');
      expect(remarks).toEqual([
        expect.stringContaining(`in a domestic payment (${status}`),
        expect.stringContaining(`in a cross-border payment (${status}`),
      ]);
    }
  });

  it('are not those of a duplicate: the payments may have been sent before, with the same seed', async () => {
    const isDuplicate = ({ target }: WireRequest): boolean => !target.includes('allowLogicalDuplicate=true');
    expect(await learned(isDuplicate, { status: 409 })).toMatchObject({ letters: 'norwegian', sent: 2 });
  });

  it('may differ for payments across the border', async () => {
    const { letters } = await learned((request) => isAbroad(request) && !isAscii(request));
    expect(letters).toBe('ascii-abroad');
  });

  it('are those of ASCII where it refuses others in one of the texts only', async () => {
    for (const field of ['creditorName', 'street', 'regulatoryReportingInformation']) {
      const isIn = new RegExp(`"${field}":"[\\x20-\\x7e]*[^\\x20-\\x7e]`);
      const { letters } = await learned(({ body }) => isIn.test(body?.toString('utf8') ?? ''));
      expect(letters, field).toBe(field === 'regulatoryReportingInformation' ? 'ascii-abroad' : 'ascii-only');
    }
  });

  it('are told by the text alone where the bank takes no other name than that of the account', async () => {
    const isOfAnother = ({ body }: WireRequest): boolean => /Tom Berg|Bjørn/.test(body?.toString() ?? '');
    expect(await learned(isOfAnother)).toMatchObject({ letters: 'norwegian' });
    const { letters } = await learned((request) => isOfAnother(request) || !isAscii(request));
    expect(letters).toBe('ascii-only');
  });

  it('are not to be told from a bank that refuses payments in ASCII too', async () => {
    expect(await learned(() => true)).toMatchObject({ letters: 'norwegian', remarks: [] });
  });

  it('are not asked for where the target file says them, or where payments are not created', async () => {
    const readings = { letters: 'ascii-abroad' } as const;
    expect(await learned(() => false, { readings })).toMatchObject({ letters: 'ascii-abroad', sent: 0 });
    expect(await learned(() => false, { environment: 'production' })).toMatchObject({ sent: 0 });
  });
});
