import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { psuContexts } from '../../src/spec/code-lists.ts';
import { isUuid } from '../../src/spec/formats.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { encodedParameter, isReturnTo, type ScaReturn } from '../../src/tpp/sca/sca-return.ts';

/** What a requirement demands of the address that the PSU comes back to the TPP with. */
export interface RedirectDemand {
  readonly requirement: string;
  readonly expected: string;
  /** What is there instead; undefined when it is right. */
  readonly objection: (back: ScaReturn, psu: Psu) => string | undefined;
}

const shown = (value: string | undefined): string => (value === undefined ? 'nothing' : `"${value}"`);

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase();

export const toTheTpp: RedirectDemand = {
  requirement: 'SCA-03',
  expected: 'a redirect to the address in TPP-Redirect-URI',
  objection: ({ address }, { redirectUri }) =>
    isReturnTo(redirectUri, address)
      ? undefined
      : `a redirect to ${address.split('?')[0]} in place of ${redirectUri}`,
};

const fragmentOf = (address: string): string => address.split('#').slice(1).join('#');

/** What is added to it is a matter of the parameters, which belong before it. */
export const toTheFragment: RedirectDemand = {
  ...toTheTpp,
  expected: 'a redirect to the address in TPP-Redirect-URI, its fragment included',
  objection: (back, psu) =>
    toTheTpp.objection(back, psu) ??
    (fragmentOf(back.address).startsWith(fragmentOf(psu.redirectUri))
      ? undefined
      : `a redirect to ${back.address.split('?')[0]} in place of ${psu.redirectUri}`),
};

export const withPsuId: RedirectDemand = {
  requirement: 'RDR-01',
  expected: 'psu-id with a UUID',
  objection: ({ psuId }) => (isUuid(psuId ?? '') ? undefined : shown(psuId)),
};

const withSamePsuId: RedirectDemand = {
  requirement: 'SCA-04',
  expected: 'the psu-id of before, which does not change,',
  objection: ({ psuId }, { id }) =>
    id === undefined || isSame(psuId, id) ? undefined : `${shown(psuId)} in place of "${id}"`,
};

export const withSessionId: RedirectDemand = {
  requirement: 'RDR-02',
  expected: 'tpp-session-id with the TPP-Session-ID of the request',
  objection: ({ sessionId }, psu) =>
    sessionId === psu.sessionId ? undefined : `${shown(sessionId)} in place of "${psu.sessionId}"`,
};

export const withContext: RedirectDemand = {
  requirement: 'RDR-03',
  expected: 'context with PRIVATE or CORPORATE',
  objection: ({ context }) => (psuContexts.some((listed) => listed === context) ? undefined : shown(context)),
};

/** What every redirect after success is held to, whatever SCA was for. */
export const afterEverySca: readonly RedirectDemand[] = [
  toTheTpp,
  withPsuId,
  withSamePsuId,
  withSessionId,
  withContext,
];

export const withCorporateId: RedirectDemand = {
  requirement: 'RDR-04',
  expected: 'psu-corporate-id with a UUID',
  objection: ({ psuCorporateId }) => (isUuid(psuCorporateId ?? '') ? undefined : shown(psuCorporateId)),
};

/** It is present for a corporate agreement: whoever is given one acts for a company from then on. */
export const withoutCorporateId: RedirectDemand = {
  requirement: 'RDR-04',
  expected: 'no psu-corporate-id where the context is PRIVATE',
  objection: ({ context, psuCorporateId }) =>
    context === 'PRIVATE' && psuCorporateId ? shown(psuCorporateId) : undefined,
};

/** Where the request was made for a company already. */
export const withSameCorporateId: RedirectDemand = {
  requirement: 'RDR-04',
  expected: 'psu-corporate-id with the PSU-Corporate-ID of the request, a UUID',
  objection: (back, psu) =>
    withCorporateId.objection(back, psu) ??
    (isSame(back.psuCorporateId, psu.corporateId) ? undefined : shown(back.psuCorporateId)),
};

export const inContext = (chosen: (typeof psuContexts)[number]): RedirectDemand => ({
  requirement: 'RDR-05',
  expected: `context ${chosen}`,
  objection: ({ context }) => (context === chosen ? undefined : shown(context)),
});

export const withSystem: RedirectDemand = {
  requirement: 'RDF-01',
  expected: 'system with the system that produced the error',
  objection: ({ system }) => (system ? undefined : shown(system)),
};

export const withStatus: RedirectDemand = {
  requirement: 'RDF-02',
  expected: 'status with a number from 100 to 599',
  objection: ({ status }) => (/^[1-5]\d\d$/.test(status ?? '') ? undefined : shown(status)),
};

export const withCode: RedirectDemand = {
  requirement: 'RDF-03',
  expected: 'code with an error code',
  objection: ({ code }) => (code ? undefined : shown(code)),
};

/** RFC 3986, 3.4: what may stand in a query; a plus sign is a space in forms. */
const isEncoded = (text: string): boolean => /^(?:[\w\-.~!$'()*+,;:@/?]|%[0-9a-f]{2})+$/i.test(text);

/** Whether it was UTF-8 that was encoded. */
const isUtf8 = (text: string): boolean => percentDecoded(text) !== undefined;

export const withMessage: RedirectDemand = {
  requirement: 'RDF-04',
  // Whether a message that is URL-encoded is a value to encode once more is left open.
  expected: 'message with a text, URL-encoded in UTF-8',
  objection({ address }) {
    const written = encodedParameter(address, 'message');
    const isRight = isEncoded(written ?? '') && isUtf8(written ?? '');
    return isRight ? undefined : shown(written);
  },
};

export const withoutPsuId: RedirectDemand = {
  requirement: 'RDF-05',
  expected: 'no psu-id',
  objection: ({ psuId }) => (psuId === undefined ? undefined : shown(psuId)),
};

/** What every redirect after a failure is held to: it goes to the same address as after success (Events), and tells of it. */
export const afterEveryFailure: readonly RedirectDemand[] = [toTheTpp, withStatus, withCode, withMessage];

/** Holds a redirect to some of them, and names the one that it breaks. `when` completes what was expected. */
export function mustKeepTo(
  context: CheckContext,
  demands: readonly RedirectDemand[],
  back: ScaReturn,
  psu: Psu,
  when?: string,
): void {
  context.evidence = context.exchanges.slice(-1);
  for (const { requirement, expected, objection } of demands) {
    const actual = objection(back, psu);
    context.showing(requirement, () => {
      if (actual !== undefined)
        throw new ExpectationFailed(when === undefined ? expected : `${expected} ${when}`, actual);
    });
  }
}
