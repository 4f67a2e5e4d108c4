// Servers that need no sandbox, and why. Pure.
import type { ServerDefinition } from '../definition.ts'
import type { SandboxExemption } from './sandbox-settings.ts'

/** Container engines by name, or in a folder of the system: a program elsewhere could call itself so. */
const containerEngine = /^(?:\/(?:usr\/(?:local\/)?bin|bin|snap\/bin|opt\/homebrew\/bin)\/)?(?:docker|podman)(?:\.exe)?$/

/** Another PATH may find any program by that name. */
export const isContainerEngine = (command: string, variables: readonly string[]): boolean =>
  containerEngine.test(command) && !variables.some((name) => name.toUpperCase() === 'PATH')

/** Returns why the server needs no sandbox; undefined: it needs one, or its entry speaks of one. */
export function sandboxExemption(definition: ServerDefinition): SandboxExemption | undefined {
  if (definition.transport === 'builtin') return 'builtin'
  if (definition.transport !== 'stdio') return 'remote'
  const isOwn = definition.sandbox === undefined && isContainerEngine(definition.command, Object.keys(definition.env))
  return isOwn ? 'container' : undefined
}
