import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultReadings } from '../spec/interpretations.ts';
import { missingCapability } from './capabilities.ts';
import { loadTarget } from './load-target.ts';
import { settings } from './settings.ts';
import { describeTarget, warningLines } from './target.ts';
import { createTargetFolder } from './target-folder.test.data.ts';
import { TargetFileError } from './target-problem.ts';

const folder = createTargetFolder();
const { load, problemsOf } = folder;
const errorOf = (name: string): Promise<unknown> => load(name).catch((error: unknown) => error);

describe('a minimal target file', () => {
  it.each(['minimal.yaml', 'minimal.json'])('gets every default (%s)', async (name) => {
    const target = await load(name);
    expect(describeTarget(target)).toEqual({
      name: 'sandbox.example',
      baseUrl: 'https://sandbox.example/psd2',
      environment: 'sandbox',
    });
    expect(target.pace).toEqual({
      concurrency: 16,
      requestsPerSecond: 50,
      timeoutMs: 10_000,
      retries: 5,
      outageSeconds: 60,
    });
    expect(target.readings).toEqual(defaultReadings);
    expect(target.paths.signingBaskets).toBe('/v1/signing-baskets');
    expect(target.psu).toMatchObject({ sca: 'session' });
    // Drawn with the seed of a run.
    expect([target.psu.ipAddress, target.psu.redirectUri, target.userAgent]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(target.accounts.debtor).toEqual({ bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' });
    expect(target.accounts.creditor).toEqual({
      bban: '86011117947',
      iban: 'NO9386011117947',
      currency: 'NOK',
    });
    expect(target.mayCreatePayments).toBe(true);
    expect(target.identities.main.certificate.authorisationNumber).toBe('PSDNO-FSA-111111');
    expect(target.identities.aispOnly).toBeUndefined();
  });
});

it.each([
  ['sandbox', 'production'],
  ['production', 'everywhere'],
])('takes what is left to sandboxes for nothing else: %s', async (environment, read) => {
  const lines = `environment: ${environment}\ninterpretations: { certificateTrust: production }`;
  await folder.writeMinimal('trusting.yaml', (text) => text.replace(/^environment: .*$/m, lines));
  const target = await load('trusting.yaml');
  expect(target.readings.certificateTrust).toBe(read);
});

describe('a full target file', () => {
  const environment = { QSEAL_PASSPHRASE: 'unused', QWAC_PASSPHRASE: 'unused' };

  it('is taken over in every part', async () => {
    const target = await load('full.yaml', {}, environment);
    expect(target).toMatchObject({
      name: 'My bank, sandbox',
      psu: { sca: 'form', nationalId: '01819010001', corporate: { nationalId: '01819010192' } },
      accounts: {
        card: { identification: '40f0b9d8-card', currency: 'NOK' },
        creditorForeign: { iban: 'DE89370400440532013000', country: 'DE' },
      },
      payments: {
        bulk: ['bulk-1'],
        pending: [{ product: 'norwegian-domestic-credit-transfers', id: 'pending-1' }],
        approved: [
          { product: 'norwegian-domestic-credit-transfers', id: 'approved-1' },
          { product: 'norwegian-cross-border-credit-transfers', id: 'enc!!H6fD==' },
        ],
      },
      readings: { ...defaultReadings, amountFractionDigits: 'at-most', basketLimit: '10' },
      knownDeviations: [{ requirement: 'AMT-02', reason: 'ticket 4711', until: '2027-01-31' }],
      pace: { concurrency: 8, requestsPerSecond: 20, timeoutMs: 5000, retries: 2 },
      customHeaders: { 'X-API-Key': 'from-the-developer-portal' },
    });
    expect(target.tls.ca).toContain('BEGIN CERTIFICATE');
    expect(target.tls.client?.privateKey).toContain('BEGIN PRIVATE KEY');
    expect(target.testCa).toBeDefined();
  });

  it('hands identities over as they are and mints the others', async () => {
    const { identities } = await load('full.yaml', {}, environment);
    expect((await identities.aispOnly?.())?.certificate.roles).toEqual(['PSP_AI']);
    expect((await identities.oddIssuer?.())?.certificate.issuer).toContain('Ås');
    expect((await identities.pispOnly?.())?.certificate.roles).toEqual(['PSP_PI']);
  });

  it('takes the example of the documentation', async () => {
    const file = await folder.write(
      'documentation.yaml',
      `name: My bank, sandbox
baseUrl: https://sandbox.example/psd2          # may carry a path prefix
environment: sandbox
tls: { ca: ca.pem, clientCertificate: qwac.pem, clientKey: qwac.key }
signing:
  certificate: qseal.pem
  privateKey: qseal.key
  testCa: { certificate: ca.pem, privateKey: ca.key }
psu: { sca: session, id: 7c1f7b0e, sessionId: s-1, ipAddress: 192.0.2.10, nationalId: "01819010001", corporate: { id: a, corporateId: b }, expired: { id: e, sessionId: s-0 }, other: { id: o, sessionId: s-2, corporateId: d } }
limits: { spendUnattendedCalls: true }
sandbox: { initialDataSet: true }
accounts:
  manyTransactions: "95360573002"
  debtor: { bban: "95360573002", iban: NO0995360573002, currency: NOK }
  otherDebtor: { bban: "95360574122" }
  card: { identification: card-1, currency: NOK }
  creditor: { bban: "86011117947", currency: NOK }
payments: { bulk: [id], periodic: [id], pending: [id] }
paths: { signingBaskets: /v1/signing-baskets }
interpretations: { amountFractionDigits: exact }
knownDeviations: [{ requirement: AMT-02, reason: "ticket 4711", until: 2027-01-31 }]
pace: { concurrency: 16, requestsPerSecond: 50, timeoutMs: 10000 }
`,
    );
    const { psu, accounts, permissions } = await loadTarget(file, {}, {});
    expect(psu.corporate).toEqual({ id: 'a', corporateId: 'b', sessionId: 's-1' });
    expect(psu.expired).toEqual({ id: 'e', sessionId: 's-0' });
    expect(psu.other).toEqual({ id: 'o', sessionId: 's-2', corporateId: 'd' });
    expect(accounts.otherDebtor).toEqual({
      bban: '95360574122',
      iban: 'NO3395360574122',
      currency: 'NOK',
    });
    expect(accounts.manyTransactions).toBe('95360573002');
    expect(permissions).toEqual({ spendUnattendedCalls: true, allowChanges: false, initialDataSet: true });
  });
});

it('is told before a run which known deviations fail it', async () => {
  await folder.writeMinimal(
    'known.yaml',
    (text) => `${text}knownDeviations:
  - { requirement: AMT-02, reason: ticket 1 }
  - { requirement: AMT-02 }
  - { requirement: DIG-03, reason: ticket 2, until: 2020-01-31 }
  - { requirement: TPP-03, reason: ticket 3 }
`,
  );
  expect(warningLines(await load('known.yaml')).map((line) => line.replace(/ Until then .*/, '…'))).toEqual([
    'knownDeviations[1]: The known deviation from AMT-02 has no reason: state one in the target file.…',
    'knownDeviations[2]: The known deviation from DIG-03 ended on 2020-01-31: remedy the bank, or agree on a new date.…',
    'knownDeviations[3]: TPP-03 binds TPPs, and no bank: correct the id.…',
  ]);
});

describe('values without quotes', () => {
  const withDebtor = (bban: string) =>
    folder.writeMinimal('quotes.yaml', (text) => text.replace('"95360573002"', bban));

  it('are taken as written where nothing is lost', async () => {
    await withDebtor('95360573002');
    expect((await load('quotes.yaml')).accounts.debtor.bban).toBe('95360573002');
    await withDebtor('123456789012345678901234567890');
    expect((await load('quotes.yaml')).accounts.debtor.bban).toBe('123456789012345678901234567890');
  });

  it('are refused with a leading zero', async () => {
    await withDebtor('01234567892');
    expect(await problemsOf('quotes.yaml')).toEqual([
      'quotes.yaml:12:13 accounts.debtor.bban: This is read as a number, which loses its leading zero. Put it in quotes.',
    ]);
  });
});

describe('a file that cannot be used', () => {
  it('has an address that no client can call', async () => {
    const given = { baseUrl: 'https://[::1]:99999/psd2', 'psu.redirectUri': 'https://[::1]:99999/' };
    expect(await problemsOf('minimal.yaml', given)).toEqual([
      '--psu-redirect-uri psu.redirectUri: This is no address: look at its host and port.',
      '--base-url baseUrl: This is no address that can be called: look at its host and port.',
    ]);
  });

  it('has a key whose newlines do not pass for lines of ours', () => {
    const problem = { place: 'a.yaml:1:1', path: 'a\nb', message: 'The key "a\r\nb" is not known.' };
    expect(new TargetFileError('a.yaml', [problem]).message.split('\n').slice(2)).toEqual([
      '  a.yaml:1:1  a\\nb',
      '    The key "a\\r\\nb" is not known.',
    ]);
  });

  it('is told every problem at once, each with its place', async () => {
    expect(await problemsOf('many-problems.yaml')).toMatchInlineSnapshot(`
      [
        "many-problems.yaml:2:1 baseUrl: This cannot be right. Expected: address of the interface, https:// or http://, up to but without /v1; may carry a path prefix, but no user name, query or fragment, such as https://sandbox.example/psd2.",
        "many-problems.yaml:3:1 enviroment: The key "enviroment" is not known. Did you mean "environment"?",
        "many-problems.yaml:4:1 tls.clientKey: This is missing. clientCertificate needs its private key.",
        "many-problems.yaml:5:3 tls.ca: The file missing.pem does not exist. Looked for missing.pem.",
        "many-problems.yaml:9:3 signing.privateKey: The signing identity "main" cannot be used. Its private key does not belong to its certificate (serial number …); give the pair.",
        "many-problems.yaml:10:3 signing.privatKey: The key "privatKey" is not known. Did you mean "privateKey"?",
        "many-problems.yaml:12:3 psu.sca: The value "sesion" is not known. Did you mean "session"? Known here: session, form, manual, module.",
        "many-problems.yaml:13:3 psu.nationalId: This is read as a number, which loses its leading zero. Put it in quotes.",
        "many-problems.yaml:14:3 psu.ipAddress: This cannot be right. Expected: PSU-IP-Address, an IPv4 or IPv6 address (left out: drawn with the seed).",
        "many-problems.yaml:16:3 accounts.debtor.bban: This is missing, and only follows from a Norwegian IBAN.",
        "many-problems.yaml:16:43 accounts.debtor.currency: This cannot be right. Expected: currency of the account, a code of three capital letters, such as NOK.",
        "many-problems.yaml:17:3 accounts.card.identification: This is missing. Expected: reference from relatedAccount of the card account details.",
        "many-problems.yaml:19:3 interpretations.amountFractionDigits: The value "exactly" is not known. Did you mean "exact"? Known here: exact, at-most.",
        "many-problems.yaml:20:3 interpretations.basketLimit: The value "11" is not known. Did you mean "10"? Known here: 10, 100.",
        "many-problems.yaml:22:7 knownDeviations[0].requirement: There is no requirement AMT-2. Did you mean AMT-02?",
        "many-problems.yaml:22:48 knownDeviations[0].until: This cannot be right. Expected: last day on which it is tolerated, as year-month-day, such as 2027-01-31.",
        "many-problems.yaml:24:3 pace.concurrency: This must be a whole number. Expected: requests under way at the same time, a whole number from 1 to 1000.",
        "many-problems.yaml:25:3 pace.timeoutMs: This cannot be right. Expected: milliseconds after which a request counts as lost, a whole number from 1 to 600000.",
        "many-problems.yaml:27:3 customHeaders.Digest: The suite sets this header itself, rightly or wrongly on purpose. Remove it here.",
      ]
    `);
  });

  it('is told in lines that people can read', async () => {
    expect(
      String(await errorOf('nothing-but-comments.yaml')).replaceAll(`${folder.path('')}/`, ''),
    ).toMatchInlineSnapshot(`
      "TargetFileError: The target file nothing-but-comments.yaml cannot be used: 4 problems.

        nothing-but-comments.yaml:1:1  baseUrl
          This is missing. Expected: address of the interface, https:// or http://, up to but without /v1; may carry a path prefix, but no user name, query or fragment, such as https://sandbox.example/psd2.

        nothing-but-comments.yaml:1:1  signing
          This is missing. Expected: the TPP that the suite acts as: what it signs requests with, such as { certificate: qseal.pem, privateKey: qseal.key }.

        nothing-but-comments.yaml:1:1  psu
          This is missing. Expected: the customer of the bank on whose behalf the suite acts, such as { sca: session, id: 7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11, sessionId: 2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77 }.

        nothing-but-comments.yaml:1:1  accounts
          This is missing. Expected: accounts to pay from and to pay to, such as { debtor: { bban: "95360573002", currency: NOK } }."
    `);
  });

  it('is told where the syntax breaks', async () => {
    await folder.write(
      'not-yaml.yaml',
      'name: My bank\nbaseUrl: https://a.example\n  environment: sandbox\ntls: { ca: x\n',
    );
    expect(await problemsOf('not-yaml.yaml')).toMatchInlineSnapshot(`
      [
        "not-yaml.yaml:2:10 : This is not valid YAML or JSON: Nested mappings are not allowed in compact mappings",
        "not-yaml.yaml:2:10 : This is not valid YAML or JSON: Implicit keys need to be on a single line",
        "not-yaml.yaml:5:1 : This is not valid YAML or JSON: Flow map in block collection must be sufficiently indented and end with a }",
      ]
    `);
  });

  it('may not exist at all', async () => {
    expect(await problemsOf('nowhere.yaml')).toEqual([
      'nowhere.yaml : The file nowhere.yaml does not exist. Give the path of a target file, or write one with the command init.',
    ]);
  });

  it('may stand inside itself, multiply without end, or be too large', async () => {
    await folder.write('cycle.yaml', 'name: &all [a, *all]\n');
    expect(await problemsOf('cycle.yaml')).toEqual([
      'cycle.yaml : An alias cannot be used: it stands inside what it names, which has no end',
    ]);
    const names = [...'abcdefgh'];
    const tens = names.map((name, index) => `${name}: &${name} [${`*${names[index - 1]},`.repeat(10)}]`);
    await folder.write('bomb.yaml', ['a: &a [1]', ...tens.slice(1)].join('\n'));
    expect(await problemsOf('bomb.yaml')).toEqual([expect.stringContaining('An alias cannot be used')]);
    await folder.write('large.yaml', `# ${'x'.repeat(5_000_000)}`);
    expect(await problemsOf('large.yaml')).toEqual([
      expect.stringContaining('cannot be read: it has more than 4 MB'),
    ]);
  });

  it('is in UTF-8, and not nested without end', async () => {
    const text = 'name: Bank på hjørnet\n';
    await folder.write('deep.yaml', '['.repeat(100_000));
    expect(await problemsOf('deep.yaml')).toEqual([expect.stringContaining('Brackets stand in brackets')]);
    for (const letters of ['utf16le', 'latin1'] as const) {
      writeFileSync(folder.path('other.yaml'), Buffer.from(text, letters));
      expect(await problemsOf('other.yaml')).toEqual([expect.stringContaining('save it as UTF-8')]);
    }
  });

  it('tells the first of very many problems', async () => {
    const keys = Array.from({ length: 80 }, (_, index) => `tls${index}x: {}`).join('\n');
    await folder.writeMinimal('many-keys.yaml', (text) => `${text}\ntls:\n${keys.replaceAll(/^/gm, '  ')}\n`);
    expect(String(await errorOf('many-keys.yaml')).split('\n').length).toBeLessThan(200);
  });

  it('tells how a key or value begins that is a whole file by mistake', async () => {
    await folder.writeMinimal(
      'long.yaml',
      (text) => `${text}\n${'k'.repeat(900)}: 1\nprofiles: [${'p'.repeat(900_000)}]\n`,
    );
    const error = await errorOf('long.yaml');
    expect(String(error)).toContain(`The key "${'k'.repeat(150)}`);
    expect(String(error).length).toBeLessThan(3_000);
  });

  it('may be another file, of any number of keys, and ends in one sentence soon', async () => {
    await folder.write(
      'many.yaml',
      Array.from({ length: 20_000 }, (_, index) => `key${index}: 1`).join('\n'),
    );
    expect(await problemsOf('many.yaml')).toEqual([
      'many.yaml:1:1 : This breaks the schema of target files in 20004 places: it is another file, or damaged.',
    ]);
  }, 15_000);

  it.each([
    ['an alias', 'environment: production\n*e : sandbox\nname: &e environment\n', '2:1'],
    ['an alias', 'name: &e environment\nenvironment: production\n*e : sandbox\n', '3:1'],
    ['a list', 'name: a\n? [environment]\n: sandbox\n', '2:3'],
    ['the keys of another map', '%YAML 1.1\n---\ntls: &e { environment: sandbox }\n<<: *e\n', '4:1'],
  ])('says nothing by a key that is %s', async (_, text, place) => {
    await folder.write('keys.yaml', text);
    expect(await problemsOf('keys.yaml')).toContain(
      `keys.yaml:${place} : This is not valid YAML or JSON: A key must be a plain word, and no alias, merge (<<), list or map. Write the key itself, with its value`,
    );
  });

  it('is told of both keys that have the same name', async () => {
    await folder.write('twice.yaml', 'name: a\nname: b\n');
    expect(await problemsOf('twice.yaml')).toEqual([
      'twice.yaml:2:1 : This is not valid YAML or JSON: Map keys must be unique',
    ]);
  });
});

describe('production', () => {
  it.each([{}, { environment: 'sandbox' }] as const)(
    'is never turned into a sandbox by a variable or flag (%j)',
    async (flags) => {
      const variables = 'environment' in flags ? {} : { XS2A_ENVIRONMENT: 'sandbox' };
      const origin = 'environment' in flags ? '--environment' : 'XS2A_ENVIRONMENT';
      expect(await problemsOf('production-without-creditor.yaml', flags, variables)).toEqual([
        `${origin} environment: This cannot turn what the target file says (production-without-creditor.yaml:2:1) into a sandbox. Leave ${origin} out, or change the file.`,
      ]);
      await folder.writeMinimal('silent.yaml', (text) => text.replace('environment: sandbox\n', ''));
      expect(await problemsOf('silent.yaml', flags, variables)).toEqual([
        `${origin} environment: A target file says itself that it is of a sandbox: write environment: sandbox into it, and leave ${origin} out.`,
      ]);
      expect((await load('minimal.yaml', flags, variables)).mayCreatePayments).toBe(true);
    },
  );

  it.each([
    ['a flag', { baseUrl: 'https://production.example/psd2' }, {}, '--base-url'],
    ['a variable', {}, { XS2A_BASE_URL: 'https://production.example/psd2' }, 'XS2A_BASE_URL'],
    ['another port', { baseUrl: 'https://sandbox.example:8443/psd2' }, {}, '--base-url'],
    ['plain http', { baseUrl: 'http://sandbox.example/psd2' }, {}, '--base-url'],
  ] as const)(
    'is not judged by what a file declares of a sandbox elsewhere: %s',
    async (_, flags, variables, origin) => {
      await folder.writeMinimal('declared.yaml', (text) =>
        text.replace(
          'psu:\n',
          'sandbox: { allowChanges: true, initialDataSet: true }\nlimits: { spendUnattendedCalls: true }\ntls: { insecure: true }\npsu:\n  scaHosts: [login.example]\n',
        ),
      );
      const withheld = { allowChanges: false, initialDataSet: false, spendUnattendedCalls: false };
      const target = await load('declared.yaml', flags, variables);
      expect(target).toMatchObject({
        environment: 'unstated',
        mayCreatePayments: false,
        permissions: withheld,
        psu: { scaHosts: [] },
        tls: { insecure: false },
      });
      for (const capability of ['create-payments', 'sandbox', 'sandbox-changes'] as const)
        expect(missingCapability(target, capability)).toMatch(
          new RegExp(
            `^${origin} gives an address that is not the one .*\\(https://sandbox\\.example\\).* write a target file`,
          ),
        );
      expect(target.warnings).toContainEqual({ path: 'environment', message: target.whyUnstated });
      // Nor with everything else that a variable or flag could say.
      const leave = { allowProductionPayments: true, 'accounts.creditor.bban': '86011117947' };
      const produced = { ...variables, XS2A_ENVIRONMENT: 'production' };
      expect((await load('declared.yaml', { ...flags, ...leave }, produced)).mayCreatePayments).toBe(false);
      const claims = {
        '--environment': load('declared.yaml', { ...flags, environment: 'sandbox' }, variables),
        XS2A_ENVIRONMENT: load('declared.yaml', flags, { ...variables, XS2A_ENVIRONMENT: 'sandbox' }),
      };
      const problem = (claim: string) => ({
        place: claim,
        message: expect.stringContaining(`This cannot make a sandbox of it: ${origin} gives`),
      });
      await Promise.all(
        Object.entries(claims).map(([claim, loaded]) =>
          expect(loaded).rejects.toMatchObject({ problems: [problem(claim)] }),
        ),
      );
      // Another path of the same bank is the same bank.
      const moved = await load('declared.yaml', { baseUrl: 'https://SANDBOX.example:443/other' });
      expect(moved).toMatchObject({ mayCreatePayments: true, permissions: { allowChanges: true } });
    },
  );

  it('is not judged as a sandbox where the file has no address next to what it declares', async () => {
    await folder.writeMinimal('no-address.yaml', (text) => text.replace(/^baseUrl: .*$/m, ''));
    const target = await load('no-address.yaml', {}, { XS2A_BASE_URL: 'https://production.example' });
    expect(target.whyUnstated).toMatch(/^XS2A_BASE_URL gives an address to a target file that has none\./);
  });

  it('is never paid at by the value of any variable', async () => {
    await folder.writeMinimal('unstated.yaml', (text) => text.replace(/^environment: .*$/m, ''));
    const values = ['sandbox', 'production', 'true', '86011117947', 'https://sandbox.example/psd2'];
    const files = ['unstated.yaml', 'production-without-creditor.yaml'];
    for (const { variable } of settings)
      for (const value of values)
        for (const file of files) {
          const target = load(file, { allowProductionPayments: true }, { [variable]: value });
          const { mayCreatePayments } = await target.catch((error: unknown) => {
            expect(error).toBeInstanceOf(TargetFileError);
            return { mayCreatePayments: false };
          });
          expect(mayCreatePayments, `${variable}=${value}`).toBe(false);
        }
  });

  it('is what a variable may make of a sandbox', async () => {
    const target = await load('minimal.yaml', {}, { XS2A_ENVIRONMENT: 'production' });
    expect(target).toMatchObject({ environment: 'production', mayCreatePayments: false });
  });

  it('creates no payments, unless that is allowed and there is an account to pay to', async () => {
    const name = 'production-without-creditor.yaml';
    expect((await load(name)).mayCreatePayments).toBe(false);
    expect(await problemsOf(name, { allowProductionPayments: true })).toEqual([
      expect.stringContaining('accounts.creditor: This is missing. In production money really goes there'),
    ]);
    const allowed = await load(name, {
      allowProductionPayments: true,
      'accounts.creditor.bban': '86011117947',
    });
    expect(allowed.mayCreatePayments).toBe(true);
    expect(allowed.accounts.creditorForeign).toBeUndefined();
  });
});
