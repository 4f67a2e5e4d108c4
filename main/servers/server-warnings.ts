import { lookAlikes } from '#app/server/look-alike.ts'
import { t } from '#app/words/translate.ts'

/** The warnings of each server, by name. `claimsTrust`: its file says "trusted", which the person did not answer. */
export function serverWarnings(names: Iterable<string>, claimsTrust: (name: string) => boolean): Map<string, string[]> {
  const all = [...names]
  const alike = lookAlikes(all)
  const warningsOf = (name: string): string[] => {
    const others = (alike.get(name) ?? []).map((other) => `“${other}”`)
    return [
      ...(others.length > 0 ? [t`Its name looks like that of ${others.join(', ')}.`] : []),
      ...(claimsTrust(name) ? [t`Its file says “trusted”. That counts once you switch it on under Tools.`] : []),
    ]
  }
  return new Map(all.map((name) => [name, warningsOf(name)]))
}

/** The names whose warnings differ. */
export function changedWarnings(before: ReadonlyMap<string, readonly string[]>, now: ReadonlyMap<string, readonly string[]>): string[] {
  const text = (warnings: readonly string[] | undefined): string => (warnings ?? []).join('\n')
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => text(before.get(name)) !== text(now.get(name)))
}
