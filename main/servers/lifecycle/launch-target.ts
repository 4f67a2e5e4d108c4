// Target that is shown for approval before a server is started or connected to, and the values that the answer is bound to.
import { isDeepStrictEqual } from 'node:util'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputReference, referencesIn } from '#app/server/inputs/variable-references.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import { variableEffectOf } from '#app/text/environment-names.ts'
import { launchFingerprint } from '#main/consent/audit-writer.ts'

/** Undefined for the server that ships with Assent: it is trusted as Assent itself is. `folder`: where it will run. */
export function launchTargetOf(
  definition: ServerDefinition,
  folder?: string,
  sandbox?: LaunchSandbox,
  windows = process.platform === 'win32',
): LaunchTarget | undefined {
  if (definition.transport === 'builtin') return undefined
  if (definition.transport === 'stdio') {
    const { command, args, env, cwd } = definition
    const effective = Object.entries(env)
      .flatMap(([name, value]) => {
        const effect = variableEffectOf(name, windows)
        return effect === undefined ? [] : [{ name, value, effect }]
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const variables = effective.length > 0 ? effective : undefined
    return {
      transport: 'stdio',
      command,
      args: [...args],
      envNames: namesWithSources(env),
      ...defined({ variables, cwd, folder, sandbox }),
    }
  }
  const { transport, url, headers, oauth = {} } = definition
  // Settings for signing in go to whoever the server names: what of the person's is filled into them is shown too.
  const filled = Object.entries(oauth).flatMap(([name, value]) =>
    typeof value === 'string' && referencesIn(value).length > 0 ? [[`oauth ${name}`, value]] : [],
  )
  return { transport, url, headerNames: [...namesWithSources(headers), ...namesWithSources(Object.fromEntries(filled))] }
}

/** Key of the program or address that remembered facts belong to; values do not count. */
export function launchKey(definition: ServerDefinition): string {
  const target = launchTargetOf(definition)
  return target ? launchFingerprint(target) : 'builtin'
}

/**
 * Values that the answer is bound to without showing them, as they stand in the file, and those of its inputs by their references. A
 * reference to a variable of the person's counts as itself.
 */
export function launchValues(
  definition: ServerDefinition,
  inputs: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, string>> {
  if (definition.transport === 'builtin') return {}
  const filled = Object.fromEntries([...inputs].map(([id, value]) => [inputReference(id), value]))
  if (definition.transport === 'stdio') return { ...definition.env, ...filled }
  const settings = Object.entries(definition.oauth ?? {}).map(([name, value]) => [`oauth ${name}`, String(value)])
  return { ...definition.headers, ...Object.fromEntries(settings), ...filled }
}

/** Names with the person's variables and kept secrets that fill their values: a header of any name could carry a key away. Sorted. */
function namesWithSources(values: Readonly<Record<string, string>>): string[] {
  const shown = Object.entries(values).map(([name, value]) => {
    const references = referencesIn(value)
    const variables = references.flatMap((reference) => (reference.kind === 'env' ? [reference.name] : []))
    const inputs = references.flatMap((reference) => (reference.kind === 'input' ? [reference.id] : []))
    const from = [
      ...(variables.length > 0 ? [t`from your ${variables.join(', ')}`] : []),
      ...(inputs.length > 0 ? [t`kept secret: ${inputs.join(', ')}`] : []),
    ]
    return from.length > 0 ? `${name} (${from.join('; ')})` : name
  })
  return shown.sort((a, b) => (a < b ? -1 : 1))
}

function startedWith(definition: ServerDefinition): unknown {
  if (definition.transport === 'builtin') return { transport: definition.transport, module: definition.module }
  if (definition.transport === 'stdio') {
    const { transport, command, args, env, cwd, sandbox } = definition
    return { transport, command, args, env, cwd, sandbox }
  }
  const { transport, url, headers, oauth } = definition
  return { transport, url, headers, oauth }
}

export const startsAlike = (a: ServerDefinition, b: ServerDefinition): boolean => isDeepStrictEqual(startedWith(a), startedWith(b))
