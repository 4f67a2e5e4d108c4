// What the file of servers says that consent rests on, on record whenever it is another than before: whether a server's
// word about its tools counts, whether it starts with Assent, whether it is used at all. Whoever edits the file, and also
// while Assent does not run: what was seen last is remembered.
import { z } from 'zod'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Store } from '#main/store/types.ts'

const flagsOf = z.object({ trusted: z.boolean(), start: z.enum(['launch', 'needed']), enabled: z.boolean() })
type Flags = z.infer<typeof flagsOf>
const remembered = z.record(z.string(), flagsOf)

/** Of a server that was just added. */
const plain: Flags = { trusted: false, start: 'needed', enabled: true }

const words: { readonly [F in keyof Flags]: (value: Flags[F]) => string } = {
  trusted: (value) => (value ? 'trusted' : 'trusted-no-more'),
  start: (value) => (value === 'launch' ? 'starts-with-assent' : 'starts-when-needed'),
  enabled: (value) => (value ? 'switched-on' : 'switched-off'),
}

/** `file`: whose flags they are. Throws when a change cannot be put on record. */
export function recordFlags(
  { audit, settings }: Pick<Store, 'audit' | 'settings'>,
  file: string,
  definitions: ReadonlyMap<string, ServerDefinition>,
): void {
  const fact = `server-flags ${file}`
  const before = remembered.safeParse(settings.fact(fact)).data ?? {}
  const after: Record<string, Flags> = {}
  let changed = Object.keys(before).some((name) => !definitions.has(name))
  const told = <F extends keyof Flags>(server: string, flag: F, old: Flags, now: Flags): void => {
    if (old[flag] === now[flag]) return
    changed = true
    audit.append({ kind: 'config', server, decision: words[flag](now[flag]), detail: { flag } })
  }
  for (const [name, { trusted, start, enabled }] of definitions) {
    const now: Flags = { trusted, start, enabled }
    const old = before[name] ?? plain
    after[name] = now
    changed ||= before[name] === undefined
    told(name, 'trusted', old, now)
    told(name, 'start', old, now)
    told(name, 'enabled', old, now)
  }
  if (changed) settings.setFact(fact, after)
}
