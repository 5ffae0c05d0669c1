/** What a bank tells of its customers, and of those whom they pay. Pseudonyms are made of it: `account#1`. */
export type CustomerData = 'person' | 'account' | 'address' | 'amount' | 'transaction' | 'page-text';

/**
 * By the name of a member, in small letters and without its dashes. A name that no bank has today costs nothing, one that is
 * not here shows a person: in doubt it is here.
 */
const members: readonly (readonly [RegExp, CustomerData])[] = [
  [/name$|birth|mail|phone|^mobile|^ultimate(?:creditor|debtor)$|^merchant$|^cardacceptorid$/, 'person'],
  [/^(?:customer|organi[sz]ation)number$/, 'person'],
  [/[ib]ban$|pan$|^(?:card|linked|related)?accounts?$|^identification$|^engagements$/, 'account'],
  [/(?:account|card)(?:number|identification)$|^msisdn$/, 'account'],
  [/^(?:street|building|postal|postcode|city|town|house)|address/, 'address'],
  [/amounts?$|balance$|limit$|^creditline$/, 'amount'],
  [/^(?:remittance|additional)information|^transactiondetails$|^entryreference$/, 'transaction'],
  [/^(?:reference|description|narrative|details|contractidentification)$/, 'transaction'],
  [/^(?:endtoend|mandate|check|batch|creditor|terminal)id$/, 'transaction'],
];

/** What an order of ours is of, and what it costs. */
const ownAmounts = new Set(['instructedAmount', 'transactionFees']);

/** Errors say by these what is wrong, and where (RFC 9457, section 3.2, and its likes). */
const wordsOfErrors = new Set(['name', 'reference', 'description', 'details']);

const kindsByMember = new Map<string, CustomerData | undefined>();
const mostMembers = 1_000;

function kindOf(member: string): CustomerData | undefined {
  const name = member.slice(0, 100);
  if (kindsByMember.has(name)) return kindsByMember.get(name);
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const kind = members.find(([pattern]) => pattern.test(plain))?.[1];
  if (kindsByMember.size >= mostMembers) kindsByMember.clear();
  kindsByMember.set(name, kind);
  return kind;
}

/** A string, which may have been cut off; a sign of JSON; or a number or word. */
const token = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"|\\?$)|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/** How one value is to stand there, by what it means; the same value where it may stay. */
type Replace = (kind: CustomerData, value: string) => string;

/**
 * JSON with other values in place of what tells of a customer. It may be cut off, not well-formed, or stand within a
 * sentence; what is no JSON stays as it is.
 */
export function replacedInJson(text: string, isError: boolean, replace: Replace): string {
  const begin = text.search(/[[{]\s*["[{\]}]/);
  if (begin < 0) return text;
  /** The member names above, each of an object or a list; undefined where there is none yet. */
  const above: (string | undefined)[] = [];
  let name: string | undefined;
  let shown = text.slice(0, begin);
  let upTo = begin;
  token.lastIndex = begin;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, string] = found;
    if (whole === '{' || whole === '[') {
      above.push(name);
      if (whole === '{') name = undefined;
    } else if (whole === '}' || whole === ']') {
      // The elements of a list are what the list is.
      name = above.pop();
    } else if (
      string !== undefined &&
      /^\s{0,100}:/.test(text.slice(token.lastIndex, token.lastIndex + 101))
    ) {
      name = string;
    } else if (name !== undefined && !/^(?:[:,]|true|false|null)$/.test(whole)) {
      const kind = kindOf(name);
      const isOwn = kind === 'amount' && ownAmounts.has(above.at(-1) ?? '');
      if (kind === undefined || isOwn || (isError && wordsOfErrors.has(name))) continue;
      const value = string === undefined ? whole : meantBy(string);
      const other = value === '' ? '' : replace(kind, value);
      if (other === value) continue;
      shown += text.slice(upTo, found.index) + JSON.stringify(other);
      upTo = token.lastIndex;
    }
  }
  return upTo === begin ? text : shown + text.slice(upTo);
}

/** Without the escapes of JSON, as far as they are right. */
function meantBy(string: string): string {
  try {
    return String(JSON.parse(`"${string}"`));
  } catch {
    return string;
  }
}

const textInPages = /(?<=>)[^<>]*[^<>\s][^<>]*(?=<|$)/g;
/** Attributes that say something; the others are how a page is made. */
const attribute =
  /(\s(?:value|title|alt|label|placeholder|content|aria-[\w-]{1,40}|data-[\w-]{1,40})\s{0,8}=\s{0,8})(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/** A page with its tags, and nothing of what it says: names, accounts and payments are among that. */
export const replacedInPage = (page: string, replace: Replace): string =>
  page
    .replace(textInPages, (text) => {
      const value = text.trim();
      return text.replace(value, () => replace('page-text', value));
    })
    .replace(attribute, (whole, start: string, ...[one, two, three]: string[]) => {
      const value = one ?? two ?? three ?? '';
      return value === '' ? whole : `${start}"${replace('page-text', value)}"`;
    });

/** Every text and number in a value, however deep. */
export function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}
