// Sandbox of an entry in `servers.json`, in the keys of VS Code: `sandboxEnabled`, and `sandbox` with `filesystem` and `network`. Pure.
import type { JsonObject } from '../../json.ts'
import { noGrants, type SandboxGrants, type SandboxSettings } from './sandbox-settings.ts'

/** Lists within `sandbox`, and the grant that each is. */
export const sandboxLists = {
  filesystem: { allowRead: 'read', allowWrite: 'write', denyRead: 'denyRead', denyWrite: 'denyWrite' },
  network: { allowedDomains: 'hosts', deniedDomains: 'denyHosts' },
} as const satisfies Record<string, Record<string, keyof SandboxGrants>>

export type SandboxGroup = keyof typeof sandboxLists

export const isHostList = (list: keyof SandboxGrants): boolean => list === 'hosts' || list === 'denyHosts'

/** Grants of the lists that were read. Without `sandboxEnabled` the entry does not speak of a sandbox. */
export function settingsOf(enabled: boolean | undefined, lists: Partial<SandboxGrants>): SandboxSettings | undefined {
  if (enabled === undefined) return undefined
  return enabled ? { kind: 'on', grants: { ...noGrants, ...lists } } : { kind: 'off' }
}

/** The keys as they are written; empty lists are left out. */
export function sandboxKeysOf(settings: SandboxSettings | undefined): { sandboxEnabled?: boolean; sandbox?: JsonObject } {
  if (settings === undefined) return {}
  if (settings.kind === 'off') return { sandboxEnabled: false }
  const groups = Object.entries(sandboxLists).map(([group, lists]): [string, JsonObject] => [
    group,
    Object.fromEntries(
      Object.entries(lists).flatMap(([key, list]) => (settings.grants[list].length > 0 ? [[key, [...settings.grants[list]]]] : [])),
    ),
  ])
  const sandbox = Object.fromEntries(groups.filter(([, lists]) => Object.keys(lists).length > 0))
  return { sandboxEnabled: true, ...(Object.keys(sandbox).length > 0 ? { sandbox } : {}) }
}
