import type { BankRequest } from '../route.ts';

/** Several rules look at different sides of one finding; it is made once for each request. */
export function oncePerRequest<Finding>(
  find: (request: BankRequest) => Finding,
): (request: BankRequest) => Finding {
  const findings = new WeakMap<BankRequest, { readonly finding: Finding }>();
  return (request) => {
    const known = findings.get(request);
    if (known !== undefined) return known.finding;
    const finding = find(request);
    findings.set(request, { finding });
    return finding;
  };
}
