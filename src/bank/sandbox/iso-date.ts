const dayInMilliseconds = 86_400_000;

/** YYYY-MM-DD in UTC (What the service does: ISO 8601). */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** YYYY-MM-DDThh:mm:ss+00:00, the date-time form of payloads. */
export const isoDateTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;

export const daysBefore = (date: Date, days: number): Date =>
  new Date(date.getTime() - days * dayInMilliseconds);

/** A day that exists, in the form YYYY-MM-DD. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && isoDate(date) === text;
}
