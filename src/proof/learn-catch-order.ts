import {
  type CatchingCheck,
  type CatchOrder,
  type CheckCost,
  catchOrderOf,
  type NoticedBank,
} from '../checks/proof-findings.ts';

/** What is known of the requests of a run before any order of its checks. */
export interface KnownCosts {
  /** By the id of the check, where it is the only one. */
  readonly alone: ReadonlyMap<string, CheckCost>;
  /** Before the first check. */
  readonly preparation: number;
}

/**
 * The order in which a small budget takes the checks, with what each of them really sends there. Whoever looks at the
 * exchanges of others (`observing`) has to send the fewer of its own the more of them there are, which shows only in an order.
 */
export async function learnCatchOrder(
  banks: readonly NoticedBank[],
  { alone, preparation }: KnownCosts,
  observing: ReadonlySet<string>,
  sentInTurn: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<CatchOrder> {
  const inOrder = async (costs: KnownCosts['alone']) => {
    const order = catchOrderOf(banks, costs);
    const sent = await sentInTurn(order.map(({ id }) => id));
    return order.map((check) => ({ ...check, requests: sent.get(check.id) ?? 0 }));
  };
  const first = new Map((await inOrder(alone)).map(({ id, requests }) => [id, requests]));
  const costs = [...alone].map(([id, cost]) => {
    const own = first.get(id);
    return [id, observing.has(id) && own !== undefined ? { own, shared: new Map() } : cost] as const;
  });
  const shared = new Map([...alone.values()].flatMap((cost) => [...cost.shared]));
  const places = new Map([...shared.keys()].map((what, place) => [what, place]));
  const costOf = (id: string): Pick<CatchingCheck, 'own' | 'shared'> => {
    const cost = alone.get(id);
    return {
      own: cost?.own ?? 0,
      shared: [...(cost?.shared.keys() ?? [])].flatMap((what) => places.get(what) ?? []),
    };
  };
  const checks = await inOrder(new Map(costs));
  return {
    banks: banks.length,
    preparation,
    shared: [...shared.values()],
    checks: checks.map((check) => ({ ...check, ...costOf(check.id) })),
  };
}

const lineWidth = 110;
const numbers = /^( *)(.*)\[\n( *\d+,?\n)+ *\](,?)$/gm;

/** As our formatter writes it: as many numbers of a list on a line as fit. */
export const orderText = (order: CatchOrder): string =>
  `${JSON.stringify(order, null, 2).replaceAll(
    numbers,
    (list, indent: string, name: string, _, comma: string) => {
      const written = list.slice(list.indexOf('[')).match(/\d+/g) ?? [];
      const line = `${indent}${name}[${written.join(', ')}]${comma}`;
      if (line.length <= lineWidth) return line;
      return `${indent}${name}[\n${filled(written, `${indent}  `)}\n${indent}]${comma}`;
    },
  )}\n`;

function filled(written: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const [place, number] of written.entries()) {
    const item = place < written.length - 1 ? `${number},` : number;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= lineWidth)
      lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(`${indent}${item}`);
  }
  return lines.join('\n');
}
