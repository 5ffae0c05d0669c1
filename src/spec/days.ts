/** Days are counted in UTC, as everything that the interface tells of time. */
export const dayMs = 24 * 60 * 60 * 1000;

/** YYYY-MM-DD (What the service does: ISO 8601). */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

export const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - days * dayMs);

/** A day that exists, in the form YYYY-MM-DD. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && isoDate(date) === text;
}
