// Which request a sheet shows next. Pure.
import type { FormStep } from '#app/consent/request.ts'

/** Forms that came together have one place in the row: that of the step which is shown, else of the first. */
export function oneOfEachForm<T extends { readonly id: string; readonly step?: FormStep | undefined }>(
  requests: readonly T[],
  shown: string | undefined,
): T[] {
  const standsFor = new Map<string, string>()
  for (const { id, step } of requests) if (step && (id === shown || !standsFor.has(step.group))) standsFor.set(step.group, id)
  return requests.filter(({ id, step }) => step === undefined || standsFor.get(step.group) === id)
}

/** The one that followed `id` and still waits, else the first that waits. `before`: the order when `id` still waited. */
export function nextAfter(before: readonly string[], id: string, waiting: readonly string[]): string | undefined {
  const open = waiting.filter((one) => one !== id)
  const after = before.slice(before.indexOf(id) + 1)
  return after.find((one) => open.includes(one)) ?? open[0]
}

/** Its neighbours, around the end: with two, both are the other one. */
export function neighboursOf(waiting: readonly string[], id: string): { readonly previous: string; readonly next: string } | undefined {
  const at = waiting.indexOf(id)
  const [previous, next] = [waiting.at(at - 1), waiting[(at + 1) % waiting.length]]
  return at < 0 || waiting.length < 2 || previous === undefined || next === undefined ? undefined : { previous, next }
}
