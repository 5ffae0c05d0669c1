/** Groups of digits are set apart where people read them: 018190 10001, 912 345 678. */
const ungrouped = (number: string): string => {
  const digits = number.replace(/(?<=\d)[\s.-](?=\d)/g, '');
  return /^\d{9}(?:\d{2})?$/.test(digits) ? digits : number;
};

/** Whether two numbers are that of one customer, however they are written. */
export const isSameNumber = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && ungrouped(one) === ungrouped(other);
