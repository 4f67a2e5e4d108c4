// Which version of the API a registry answers: the stable one, or the older one that it has since or still. Both have the
// same shapes; what a registry answered once it is asked for from then on.
import { HostError } from '#app/errors.ts'
import type { GetJson, Got } from './get-json.ts'

const versions = ['v0.1', 'v0'] as const

export type AskRegistry = (
  base: string,
  path: string,
  options: { readonly signal: AbortSignal; readonly etag?: string | undefined },
) => Promise<Got>

export const isMissing = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'registry.refused' && error.data['status'] === 404

export function createAskRegistry(getJson: GetJson): AskRegistry {
  const spoken = new Map<string, (typeof versions)[number]>()
  return async (base, path, options) => {
    const known = spoken.get(base)
    if (known) return getJson.get(`${base}/${known}${path}`, options)
    let missing: unknown
    for (const version of versions) {
      try {
        const got = await getJson.get(`${base}/${version}${path}`, options)
        spoken.set(base, version)
        return got
      } catch (error) {
        if (!isMissing(error)) throw error
        missing ??= error
      }
    }
    throw missing
  }
}
