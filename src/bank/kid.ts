/**
 * KID: 2 to 25 digits, the last one a check digit by modulus 10 or by modulus 11, where `-` stands for 10.
 */
export function isValidKid(reference: string): boolean {
  return (
    /^\d{1,24}[\d-]$/.test(reference) && (isValidByModulus10(reference) || isValidByModulus11(reference))
  );
}

function isValidByModulus10(kid: string): boolean {
  if (kid.endsWith('-')) return false;
  const sum = [...kid].toReversed().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
}

function isValidByModulus11(kid: string): boolean {
  const payload = [...kid.slice(0, -1)].toReversed();
  const sum = payload.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return kid.endsWith(check === 10 ? '-' : String(check));
}
