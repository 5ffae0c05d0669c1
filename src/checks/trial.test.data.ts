import { type JsonObject, removeAt } from '../payloads/json.ts';
import type { WireResponse } from '../tpp/transport.ts';
import { created, type FakeBank, type FakeRequest, refusal } from './fake-run-context.test.data.ts';
import { aDomesticPayment } from './subject.ts';
import { acceptsEvery, refuses, type Twist } from './trial.ts';

export const withoutName: Twist = {
  label: 'creditorName is missing',
  body: (body) => removeAt(body, ['creditorName']),
  points: 'creditorName',
};
export const about = {
  id: 'NDC-09',
  requirement: 'NDC-09',
  title: 'a domestic payment without creditorName is refused',
  of: aDomesticPayment(),
};
export const refusesWithoutName = refuses({ ...about, twists: [withoutName] });
export const acceptsAll = acceptsEvery({ ...about, id: 'NDC-69' });

export const hasName = (body: JsonObject): boolean => body.creditorName !== undefined;
export const amountOf = (body: JsonObject): string => (body.instructedAmount as { amount: string }).amount;

/** Takes payments with a name, and answers others, which have the fault, as it is told to. */
export const answeringFaults =
  (answer: (request: FakeRequest) => WireResponse): FakeBank =>
  (request) =>
    hasName(request.body) || request.wire.method === 'GET' ? created() : answer(request);
/** Takes payments as long as nothing optional is in them. */
export const withoutPurpose: FakeBank = ({ body }) =>
  body.purposeCode === undefined ? created() : refusal();
export const withHeaderPresent: Twist = {
  label: 'a header is there',
  request: { beforeSigning: ({ headers }) => headers.set('PSU-Accept', 'a') },
};
export const strict: FakeBank = answeringFaults(() => refusal('creditorName'));
