import type { Body } from '../field.ts';
import { byProduct } from '../products.ts';
import { errorResponse, paymentResponse, paymentStatusResponse, sandboxCustomer } from './responses.ts';
import { basketRequest, basketResponse } from './signing-basket.ts';

/** Every body of the interface, in the specification's order. */
export const bodies = {
  ...byProduct('body', ({ table }) => table),
  paymentResponse,
  basketRequest,
  basketResponse,
  sandboxCustomer,
  paymentStatusResponse,
  errorResponse,
} as const satisfies Record<string, Body>;
export type BodyName = keyof typeof bodies;
