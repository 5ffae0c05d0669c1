/** What was done, and what it took. */
export interface Measurement {
  readonly requests: number;
  readonly durationMs: number;
  readonly errors: number;
  /** Time of processors, which a busy machine changes less than the time that passes. */
  readonly cpuMs: number;
}

export function startMeasuring(): () => Pick<Measurement, 'durationMs' | 'cpuMs'> {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { durationMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  };
}

export const perSecond = ({ requests, durationMs }: Pick<Measurement, 'requests' | 'durationMs'>): number =>
  (requests / durationMs) * 1000;
