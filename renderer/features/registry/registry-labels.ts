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

/** Names that `name` could be taken for, among those listed and those of configured servers; at most 3. */
export function lookAlikesOf(name: string, listed: readonly string[], configured: readonly string[]): string[] {
  const alike = (own: string, others: readonly string[]): string[] => {
    const skeleton = skeletonOf(own)
    return others.filter((other) => other !== own && skeletonOf(other) === skeleton)
  }
  return [...new Set([...alike(name, listed), ...alike(nameForEntry(name), configured)])].slice(0, 3)
}

/** Whether the registry's format (server.json) allows the name. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/.test(name)

/** “io.github.somebody/weather” → “io.github.somebody”. */
export const namespaceOf = (name: string): string => name.split('/')[0] ?? name
