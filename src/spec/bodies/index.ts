import type { Body } from '../field.ts';
import { crossBorderPayment } from './cross-border-payment.ts';
import { domesticPayment } from './domestic-payment.ts';
import { errorResponse, paymentResponse, paymentStatusResponse } from './responses.ts';
import { sandboxCustomer } from './sandbox-customer.ts';
import { basketRequest, basketResponse } from './signing-basket.ts';

/** Every body of the interface, in the specification's order. */
export const bodies = {
  domesticPayment,
  crossBorderPayment,
  paymentResponse,
  basketRequest,
  basketResponse,
  sandboxCustomer,
  paymentStatusResponse,
  errorResponse,
} as const satisfies Record<string, Body>;
export type BodyName = keyof typeof bodies;
