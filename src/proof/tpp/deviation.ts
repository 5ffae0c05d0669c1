import {
  type BehaviourChange,
  type RedirectReason,
  type TppBehaviour,
  varying,
  withBody,
} from '../../certification/reference-tpp/behaviour.ts';
import type { Session } from '../../certification/session.ts';
import { changeAt, type Json, type JsonObject } from '../../payloads/json.ts';
import { parseKeyId, type SignatureParts } from '../../signing/signature-header.ts';
import { creations, products } from '../../spec/products.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import type { Call, Psu } from '../../tpp/call.ts';
import type { RequestDraft, SigningPlan } from '../../tpp/signing-plan.ts';
import type { TppKeys } from './certify.ts';

/** How a TPP differs from the correct one; from the keys that there are. */
export type TppChange = (keys: TppKeys) => BehaviourChange;

/** What a TPP did, or why it cannot be had on this machine. */
export type Certified = Session | { readonly skipped: string };

/** A TPP that breaks exactly one requirement in one way. */
export interface TppDeviation {
  /** `TPP-08/lower-case` */
  readonly id: string;
  /** What it does wrong: `writes the serial number in lower case`. */
  readonly title: string;
  /** The requirement that it breaks; checks of no other may complain. */
  readonly requirement: string;
  readonly change: TppChange;
  /** When alone it shows. */
  readonly condition?: string;
  /** Whether a TPP of that change has broken anything yet; nothing where the condition is never met. */
  readonly hasShown?: () => boolean;
  /** Its own way to a bank of its own, for what no request shows. */
  readonly certify?: () => Promise<Session>;
}

/** A TPP that is unusual and right: no check may complain. */
export interface TppDialect {
  readonly id: string;
  readonly title: string;
  readonly change: TppChange;
  /** Its own way, for a TPP of another make. */
  readonly certify?: () => Promise<Certified>;
  /** The journeys that it goes through; all of them when absent. */
  readonly journeys?: readonly string[];
  /** The profiles that it is conformant to by them. */
  readonly profiles?: readonly ProfileId[];
}

export type Row<Change> = readonly [id: string, title: string, change: Change];

/** Deviations by keys or certificates of their own: the requirement of each is what its id begins with. */
export const rowsWith = (...rows: readonly Row<TppChange>[]): readonly TppDeviation[] =>
  rows.map(([id, title, change]) => ({ id, title, requirement: id.split('/', 1)[0] ?? id, change }));

export const rows = (...several: readonly Row<BehaviourChange>[]): readonly TppDeviation[] =>
  rowsWith(...several.map(([id, title, change]) => [id, title, () => change] as const));

export const dialects = (...rows: readonly Row<BehaviourChange>[]): readonly TppDialect[] =>
  rows.map(([id, title, change]) => ({ id, title, change: () => change }));

type Operation = Call['operation'];
type At = readonly Operation[];

/** One change after the other. */
export const all =
  (...changes: readonly BehaviourChange[]): BehaviourChange =>
  (behaviour) =>
    changes.reduce((changed, change) => change(changed), behaviour);

export const behaving =
  (part: Partial<TppBehaviour>): BehaviourChange =>
  (behaviour) => ({ ...behaviour, ...part });

/** Headers with what they are to say, or with what becomes of what they say; undefined leaves them out. */
export type OtherHeaders = Readonly<
  Record<string, string | undefined | ((was: string | undefined) => string | undefined)>
>;

function setHeaders({ headers }: RequestDraft, others: OtherHeaders): void {
  for (const [name, to] of Object.entries(others)) {
    const value = typeof to === 'function' ? to(headers.get(name)) : to;
    if (value === undefined) headers.remove(name);
    else headers.set(name, value);
  }
}

/** Other headers in some operations or in all; the signature is over them. */
export const sending = (
  others: OtherHeaders,
  at?: At,
  isMeant: (draft: RequestDraft) => boolean = () => true,
): BehaviourChange =>
  varying({ beforeSigning: (draft) => void (isMeant(draft) && setHeaders(draft, others)) }, at);

/** The same after the request was signed. */
export const changingSigned = (others: OtherHeaders, at?: At): BehaviourChange =>
  varying({ afterSigning: (draft) => setHeaders(draft, others) }, at);

/** A second line of a header, after the request was signed. */
export const adding = (
  name: string,
  value: string | ((first: string | undefined) => string | undefined),
  at?: At,
): BehaviourChange =>
  varying(
    {
      afterSigning: ({ headers }) => {
        const line = typeof value === 'string' ? value : value(headers.get(name));
        if (line !== undefined) headers.add(name, line);
      },
    },
    at,
  );

/** Another path or query. */
export const calling = (change: (target: string, draft: RequestDraft) => string, at?: At): BehaviourChange =>
  varying(
    {
      beforeSigning: (draft) => {
        draft.target = change(draft.target, draft);
      },
    },
    at,
  );

export const signing = (plan: SigningPlan, at?: At): BehaviourChange => varying({ signing: plan }, at);

export const digesting = (
  digest: (body: Buffer) => string | undefined,
  at: At = creations,
): BehaviourChange => signing({ digest }, at);

/** The Signature header written in another way. */
export const writing = (format: (parts: SignatureParts) => string): BehaviourChange => signing({ format });

/** Who a TPP says that it is: from the serial number and the issuer of its certificate. */
export const keyId = (change: (serialNumber: string, issuer: string) => string): BehaviourChange =>
  signing({
    parts: (parts) => {
      const { serialNumber = '', issuer = '' } = parseKeyId(parts.keyId) ?? {};
      return { ...parts, keyId: change(serialNumber, issuer) };
    },
  });

/** A field with what it is to say, or with what becomes of what it says; undefined leaves it out. */
export const field = (
  operation: Operation,
  path: string,
  to: Json | undefined | ((was: string | undefined) => Json | undefined),
): BehaviourChange =>
  withBody(
    operation,
    (body) =>
      changeAt(body, path.split('.'), (was) =>
        typeof to === 'function' ? to(was as string | undefined) : to,
      ) as JsonObject,
  );

/** The customer as requests name them. */
export const presenting =
  (change: (psu: Psu, call: Call) => Psu, at?: At): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    present: (psu, call) => {
      const shown = behaviour.present(psu, call);
      return at?.includes(call.operation) === false ? shown : change(shown, call);
    },
  });

/** Private customers are named by X-PSU-IDENTITY when they pay. */
export const namingByNationalId = (
  others: OtherHeaders = {},
  isMeant: (draft: RequestDraft) => boolean = () => true,
): BehaviourChange =>
  sending(
    { 'PSU-ID': undefined, ...others, 'X-PSU-IDENTITY': '01819010001' },
    creations,
    (draft) => !draft.headers.has('PSU-Corporate-ID') && isMeant(draft),
  );

/** Links that the PSU is not sent to. */
export const ignoring =
  (isIgnored: (reason: RedirectReason, call: Call, psu: Psu) => boolean): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    follows: (...about) => !isIgnored(...about) && behaviour.follows(...about),
  });

export const home = products.domestic.creation;
export const abroad = products.crossBorder.creation;
export const toABasket: At = ['createSigningBasket'];
export const ofStatus: At = ['readPaymentStatus'];
