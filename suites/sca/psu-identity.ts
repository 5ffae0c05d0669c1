import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import type { Call, Psu } from '../../src/tpp/call.ts';

/** The call as nobody whom the bank knows. */
export function withoutPsuId(call: Call, { psu }: CheckContext): Call {
  const { id: _, ...rest } = call.psu ?? psu;
  return { ...call, psu: rest };
}

/** The call as the corporate PSU, who does not say for which company. */
export function withoutCorporateId(call: Call, context: CheckContext): Call {
  const { corporateId: _, ...psu } = corporatePsu(context);
  return { ...call, psu };
}

/** The PSU of the run named by X-PSU-IDENTITY alone, in the session of the run. */
export function namedByIdentity({ psu, target }: CheckContext): Psu {
  const { id: _, ...unknown } = psu;
  const { nationalId } = target.psu;
  return { ...unknown, ...(nationalId === undefined ? {} : { nationalId }) };
}
