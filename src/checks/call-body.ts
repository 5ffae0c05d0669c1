import type { JsonObject } from '../payloads/json.ts';
import { isObject } from '../spec/json.ts';
import type { Call } from '../tpp/call.ts';

const isJsonObject = (body: unknown): body is JsonObject => isObject(body) && !Buffer.isBuffer(body);

/** The call with another body in place of its JSON object; bytes that are no JSON any more stay as they are. */
export const withBody = (call: Call, change: (body: JsonObject) => JsonObject | Buffer): Call =>
  isJsonObject(call.body) ? { ...call, body: change(call.body) } : call;
