import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { type Deviation, rows } from './deviation.ts';

/** The listing is there whatever the environment. */
const listingEverywhere: DesignChange = (design) => ({
  ...design,
  adaptRoutes: (routes) =>
    design.adaptRoutes([
      ...routes,
      ...sandboxRoutes().filter(
        ({ operation }) =>
          operation === 'listSandboxCustomers' && !routes.some((route) => route.operation === operation),
      ),
    ]),
});

/** Pending transactions that a listing leaves in. */
const pendingWhere = (isLeft: (day: string, place: number, request: BankRequest) => boolean): DesignChange =>
  withAnswers(['readTransactions'], (answer, request) => ({
    ...answer,
    body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
      name === 'pending' && Array.isArray(value)
        ? value.filter(({ bookingDate }: { bookingDate?: string }, place) =>
            isLeft(bookingDate ?? '', place, request),
          )
        : value,
    ),
  }));

const isOfDays = (day: string, { query }: BankRequest): boolean =>
  day >= (query.get('dateFrom') ?? '') && day <= (query.get('dateTo') ?? '9999-12-31');

/** What sandboxes are exempt from: whoever tries them by hand has to know that. */
// biome-ignore format: a table
export const productionDeviations: readonly Deviation[] = [
  ...rows(
    ['SBX-44/listed', 'lists sandbox customers in production', listingEverywhere],
    ['ACC-15/of-days', 'shows pending transactions of the days between dateFrom and dateTo only', pendingWhere((day, _, request) => isOfDays(day, request))],
    ['ACC-15/of-days-with-both', 'shows pending transactions of the days that are asked for only, where bookingStatus is both',
      pendingWhere((day, _, request) => request.query.get('bookingStatus') !== 'both' || isOfDays(day, request))],
    ['ACC-15/limited', 'counts pending transactions for limit',
      pendingWhere((_, place, { query }) => place < Number(query.get('limit') ?? Number.POSITIVE_INFINITY))],
    ['ACC-15/limited-alone', 'counts pending transactions for limit where no others are asked for',
      pendingWhere((_, place, { query }) => query.get('bookingStatus') !== 'pending' || place < Number(query.get('limit') ?? Number.POSITIVE_INFINITY))],
  ),
].map((each) =>
  ({ ...each, title: `${each.title} (serve --production)`, onlyInProduction: true as const }));
