import { requirementById } from '../../spec/catalogue.ts';
import { textAt } from '../../spec/json.ts';
import { everyProduct, type Product, type ProductName, products } from '../../spec/products.ts';
import { changedRequest } from '../design/changed-request.ts';
import {
  allOf,
  type DesignChange,
  withEveryAnswerText,
  withoutRules,
  withRoutes,
} from '../design/design-changes.ts';
import { verifiedByItsName } from '../design/other-signatures.ts';
import type { BankOperation } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import { asking } from './account-queries.ts';
import {
  alsoDeciding,
  type Dialect,
  deciding,
  declaring,
  dialect,
  hiding,
  independent,
  whereScaBegins,
} from './dialect.ts';

const withoutRulesOf = (...requirements: readonly string[]): DesignChange =>
  withoutRules(({ requirement }) => requirements.includes(requirement));

const beyondPayments = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'startUserFlow',
  'createConsent',
  'createBankOfferedConsent',
  'listAgreements',
] as const;
const ofBaskets = [
  'createSigningBasket',
  'readSigningBasket',
  'readSigningBasketStatus',
  'deleteSigningBasket',
] as const;
const ofSandboxes = ['listSandboxCustomers', 'createSandboxCustomer', 'deleteSandboxCustomer'] as const;

/** What is refused by choice or by advice alone may be accepted. */
export const lenientDialects: readonly Dialect[] = [
  deciding(
    'letters',
    independent('lenient/characters', 'can process every character', (design) => ({
      ...design,
      isProcessable: () => true,
    })),
  ),
  hiding(
    independent(
      'lenient/own-choices',
      'refuses nothing by its own choice',
      withoutRules(({ ownChoice }) => ownChoice === true),
    ),
  ),
  independent(
    'lenient/advice',
    'accepts what only advisory requirements refuse',
    withoutRules(({ requirement }) => requirementById.get(requirement)?.level === 'advisory'),
  ),
  independent(
    'lenient/signature-form',
    'reads the Signature header in any order and case',
    withoutRulesOf('SGH-03', 'SGH-04', 'SGH-06', 'SGH-09', 'SGH-13'),
  ),
  declaring(
    { interpretations: { certificateTrust: 'production' } },
    independent(
      'lenient/certificates',
      'takes certificates of every authority, of all times and roles, as sandboxes do',
      withoutRulesOf('CRT-01', 'CRT-02', 'CRT-03', 'CRT-04', 'CRT-05', 'CRT-09'),
    ),
  ),
  independent(
    'lenient/announced-hash',
    'verifies by SHA-512 where the Signature header says so',
    verifiedByItsName,
  ),
  independent(
    'lenient/unsigned-headers',
    'wants no header but Digest to be signed',
    withoutRulesOf('SGS-08'),
  ),
  independent(
    'lenient/absent-headers',
    'leaves headers that are listed and absent out of the signing string',
    withoutRulesOf('SGS-09'),
    (design) => ({
      ...design,
      signing: {
        ...design.signing,
        judge: (request, names, signature, certificate) =>
          design.signing.judge(
            request,
            names.filter((name) => design.signing.valueIn(request, name) !== undefined),
            signature,
            certificate,
          ),
      },
    }),
  ),
  independent(
    'lenient/header-values',
    'takes any value of headers that only inform',
    withoutRules(({ requirement }) => /^HD[NCB]-(?:20|30|32)$/.test(requirement)),
  ),
  declaring(
    { interpretations: { amountFractionDigits: 'at-most' } },
    independent(
      'lenient/fraction-digits',
      'takes amounts with fewer fraction digits than their currency has',
      withoutRulesOf('AMT-03'),
    ),
  ),
  independent(
    'lenient/accounts',
    'takes BBAN and IBAN together in cross-border payments',
    withoutRulesOf('NCB-61', 'NCB-63'),
  ),
  deciding(
    'references',
    independent('lenient/kids', 'knows KIDs of the accounts with an agreement only', (design) => ({
      ...design,
      isTakenForKid: (reference, payment) =>
        textAt(payment, 'creditorAccount', 'bban') === kidAccount && design.isTakenForKid(reference, payment),
    })),
  ),
  deciding(
    'duplicates',
    independent('lenient/duplicates', 'never refuses a duplicate', (design) => ({
      ...design,
      refusesDuplicates: () => false,
    })),
  ),
];

/** The operation is not there: it is mentioned by path only. */
const without =
  (...operations: readonly BankOperation[]): DesignChange =>
  (design) => ({
    ...design,
    adaptRoutes: (routes) =>
      design.adaptRoutes(routes).filter(({ operation }) => !operations.includes(operation)),
  });

/** The operation was removed, as the specification announces of some, and the bank says so (RFC 9110, 15.5.11). */
const gone = (removed: BankOperation): DesignChange =>
  withRoutes((route) =>
    route.operation === removed ? { ...route, rules: [], handle: () => ({ status: 410 }) } : route,
  );

/** One product is enough: what holds for every payment shows in the other. */
const withoutProduct = ({ word, profile, creation }: Product): Dialect =>
  declaring(
    { notOffered: [{ what: profile, reason: `the bank makes no ${word} payments` }] },
    hiding(independent(`offers/no-${profile}`, `makes no ${word} payments`, without(creation))),
  );

const at = (path: string): string => `/v1/payments/${path}`;

/** Products by the names that banks have for them; those of the specification are none there. */
const calling = (names: Readonly<Record<ProductName, string>>): DesignChange =>
  allOf(
    withRoutes((route) => {
      const product = everyProduct.find(({ path }) => route.path === at(path));
      return product === undefined ? route : { ...route, path: at(names[product.name]) };
    }),
    asking(['readPaymentStatus', 'readPayment', 'deletePayment'], (request) => {
      const product = everyProduct.find(({ name }) => names[name] === request.params.product)?.path ?? 'none';
      return changedRequest(request, { params: { ...request.params, product } });
    }),
    withEveryAnswerText((text) =>
      everyProduct.reduce((all, { name, path }) => all.replaceAll(at(path), at(names[name])), text),
    ),
  );

const instantAndAbroad = {
  domestic: 'instant-norwegian-domestic-credit-transfers-straks',
  crossBorder: 'cross-border-credit-transfers',
} as const;

export const offerDialects: readonly Dialect[] = [
  ...(
    [
      ['other-names', 'makes instant payments at home, and calls those abroad otherwise', instantAndAbroad],
      [
        'sepa',
        'calls payments abroad SEPA payments',
        { domestic: products.domestic.path, crossBorder: 'sepa-credit-transfers' },
      ],
    ] as const
  ).map(([way, title, names]) =>
    declaring(
      { paths: { domesticPayments: at(names.domestic), crossBorderPayments: at(names.crossBorder) } },
      dialect(`products/${way}`, title, calling(names)),
    ),
  ),
  independent('offers/no-consents', 'has only the successor of /v1/consents', without('createConsent')),
  deciding(
    'offers/no-consents',
    independent('offers/consents-gone', 'says that /v1/consents is gone', gone('createConsent')),
  ),
  independent(
    'offers/no-bank-offered-consents',
    'has no successor of /v1/consents yet',
    without('createBankOfferedConsent'),
  ),
  deciding(
    'consents',
    independent(
      'offers/no-consents-at-all',
      'has neither /v1/consents nor its successor',
      without('createConsent', 'createBankOfferedConsent'),
    ),
  ),
  independent('offers/no-user', 'has no /v1/user', without('startUserFlow')),
  hiding(
    independent(
      'offers/no-accounts',
      'shows no accounts, so that SCA begins at /v1/user',
      without('listAccounts', 'readBalances', 'readTransactions'),
    ),
  ),
  deciding(
    'agreements',
    independent('offers/no-agreements', 'has no /v1/agreements', without('listAgreements')),
  ),
  independent(
    'offers/no-customer-creation',
    'has no creation of sandbox customers',
    without('createSandboxCustomer'),
  ),
  declaring(
    { notOffered: [{ what: 'signing-baskets', reason: 'payments are signed one by one' }] },
    hiding(independent('offers/no-signing-baskets', 'has no signing baskets', without(...ofBaskets))),
  ),
  declaring(
    { notOffered: [{ what: 'sandbox', reason: 'customers of the test environment are not listed' }] },
    hiding(
      independent(
        'offers/no-sandbox',
        'has no operations of a sandbox in its test environment',
        without(...ofSandboxes),
      ),
    ),
  ),
  alsoDeciding(
    whereScaBegins,
    declaring(
      { notOffered: [{ what: 'accounts', reason: 'the bank offers payments only' }] },
      hiding(
        independent(
          'offers/payments-only',
          'offers payments only, so that SCA begins with one of them',
          without(...beyondPayments),
        ),
      ),
    ),
  ),
  alsoDeciding(
    whereScaBegins,
    declaring(
      {
        notOffered: ['accounts', 'signing-baskets', 'sandbox'].map((what) => ({
          what,
          reason: 'the bank offers payments only',
        })),
      },
      hiding(
        independent(
          'offers/nothing-but-payments',
          'offers payments only, and has neither baskets nor operations of a sandbox',
          without(...beyondPayments, ...ofBaskets, ...ofSandboxes),
        ),
      ),
    ),
  ),
  withoutProduct(products.domestic),
  withoutProduct(products.crossBorder),
  deciding(
    'deletion',
    independent('offers/no-deletion', 'has no deletion of payments', without('deletePayment')),
  ),
];
