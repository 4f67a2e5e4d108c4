// Endpoints as they are remembered between runs: never their keys.
import { z } from 'zod'
import { modelInfo, providerId } from '#app/chat/models.ts'
import type { Json } from '#app/json.ts'
import type { SettingsStore } from '#main/store/types.ts'

const savedEndpoint = z.object({
  id: providerId,
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(['added', 'local']),
  /** A key is in the secret store, or was, where that forgets. */
  keyed: z.boolean(),
  models: z.array(modelInfo),
  checkedAt: z.number().optional(),
})
export type SavedEndpoint = z.infer<typeof savedEndpoint>

const FACT = 'models/endpoints'

export function readEndpoints(settings: SettingsStore): SavedEndpoint[] {
  const read = z.array(savedEndpoint).safeParse(settings.fact(FACT))
  return read.success ? read.data : []
}

export const writeEndpoints = (settings: SettingsStore, endpoints: readonly SavedEndpoint[]): void =>
  settings.setFact(FACT, JSON.parse(JSON.stringify(endpoints)) as Json)

const reserved = new Set(['anthropic', 'practice'])

/** From the person's name for it; stays when that changes, since conversations name their models with it. */
export function endpointId(name: string, taken: (id: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '')
  const base = plain === '' ? 'endpoint' : plain
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!reserved.has(id) && !taken(id)) return id
  }
}
