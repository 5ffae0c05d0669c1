import { type JsonObject, removeAt } from '../payloads/json.ts';
import { created, type FakeBank, refusal } from './fake-run-context.test.data.ts';
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
export const strict: FakeBank = ({ body }) => (hasName(body) ? created() : refusal('creditorName'));
export const amountOf = (body: JsonObject): string => (body.instructedAmount as { amount: string }).amount;
