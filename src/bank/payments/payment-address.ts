import type { Payment } from './payment.ts';

/** Where a payment is read. Ids may be opaque, so they are percent-encoded. */
export const paymentAddress = (baseUrl: string, { service, product, paymentId }: Payment): string =>
  `${baseUrl}/v1/${service}/${product}/${encodeURIComponent(paymentId)}`;
