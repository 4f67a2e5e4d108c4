interface Summary {
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** The value below which `share` of the samples lie (nearest rank). */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5)

/** `samples`: milliseconds. */
export const summarise = (samples: readonly number[]): Summary => ({
  count: samples.length,
  p50Ms: round(percentile(samples, 0.5)),
  p95Ms: round(percentile(samples, 0.95)),
})

/** Milliseconds that `work` took, added to `samples`. */
export async function timed(work: () => Promise<unknown>, samples: number[]): Promise<void> {
  const started = performance.now()
  await work()
  samples.push(performance.now() - started)
}

export const ratio = (a: number, b: number): number => round(a / b)
