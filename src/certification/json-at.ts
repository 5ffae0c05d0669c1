/** Looks into JSON of unknown shape, for checks, which do not see the bank. */
export { has, isObject, memberAt, textAt } from '../bank/json.ts';
