import { t } from '#app/i18n/translate.ts'
import { skeletonOf } from '#app/server/look-alike.ts'
import type { InstallOption } from '#app/server/registry/install-options.ts'
import { nameForEntry } from '#app/server/registry/registry-entry.ts'

const kinds: Readonly<Record<string, string>> = {
  npm: t`npm package`,
  pypi: t`Python package`,
  nuget: t`NuGet package`,
  oci: t`container`,
  mcpb: t`bundle`,
  cargo: t`Rust program`,
  go: t`Go program`,
  'streamable-http': t`address`,
  sse: t`address, HTTP with SSE`,
}
export const installKindLabel = ({ label }: Pick<InstallOption, 'label'>): string => kinds[label] ?? label

/** The others that a name could be taken for: of the list, and of the servers that are configured. */
export function lookAlikesOf(name: string, listed: readonly string[], configured: readonly string[]): string[] {
  const whole = skeletonOf(name)
  const own = nameForEntry(name)
  const short = skeletonOf(own)
  return [
    ...new Set([
      ...listed.filter((other) => other !== name && skeletonOf(other) === whole),
      ...configured.filter((other) => other !== own && skeletonOf(other) === short),
    ]),
  ].slice(0, 3)
}

/** What the registry format allows in a name. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/.test(name)

/** “io.github.somebody/weather” → “io.github.somebody”. */
export const namespaceOf = (name: string): string => name.split('/')[0] ?? name

export const addressHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)
