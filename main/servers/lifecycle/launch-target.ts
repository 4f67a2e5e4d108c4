// Target that is shown for approval before a server is started or connected to, and the values that the answer is bound to.
import { isDeepStrictEqual } from 'node:util'
import { variableEffectOf } from '#app/consent/environment-names.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import type { HttpDefinition, ServerDefinition } from '#app/server/definition.ts'
import { referencesIn } from '#app/server/inputs/variable-references.ts'
import { launchFingerprint } from '#main/consent/audit-writer.ts'

/** Undefined for the server that ships with Assent: it is trusted as Assent itself is. `folder`: where it will run. */
export function launchTargetOf(
  definition: ServerDefinition,
  folder?: string,
  windows = process.platform === 'win32',
): LaunchTarget | undefined {
  if (definition.transport === 'builtin') return undefined
  if (definition.transport === 'stdio') {
    const { command, args, env, cwd } = definition
    const variables = Object.entries(env)
      .flatMap(([name, value]) => {
        const effect = variableEffectOf(name, windows)
        return effect === undefined ? [] : [{ name, value, effect }]
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      transport: 'stdio',
      command,
      args: [...args],
      envNames: sorted(env),
      ...(variables.length > 0 ? { variables } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      ...(folder === undefined ? {} : { folder }),
    }
  }
  return {
    transport: definition.transport,
    url: definition.url,
    headerNames: [...sorted(definition.headers), ...fromReferences(definition)],
  }
}

/** Key of the program or address that remembered facts belong to; values do not count. */
export function launchKey(definition: ServerDefinition): string {
  const target = launchTargetOf(definition)
  return target ? launchFingerprint(target) : 'builtin'
}

/** Values that the answer is bound to without showing them, as they stand in the file: a reference counts as a reference. */
export function launchValues(definition: ServerDefinition): Readonly<Record<string, string>> {
  if (definition.transport === 'builtin') return {}
  if (definition.transport === 'stdio') return definition.env
  const settings = Object.entries(definition.oauth ?? {}).map(([name, value]) => [`oauth ${name}`, String(value)])
  return { ...definition.headers, ...Object.fromEntries(settings) }
}

/** Settings for signing in go to whoever the server names: what of the person's is filled into them is shown too. */
const fromReferences = ({ oauth = {} }: HttpDefinition): string[] =>
  sorted(
    Object.fromEntries(
      Object.entries(oauth).flatMap(([name, value]) =>
        typeof value === 'string' && referencesIn(value).length > 0 ? [[`oauth ${name}`, value]] : [],
      ),
    ),
  )

/**
 * Names only, but with the variables of the person's and the kept secrets that a value is filled in from: a header of any
 * name could carry their key away.
 */
function sorted(values: Readonly<Record<string, string>>): string[] {
  const shown = Object.entries(values).map(([name, value]) => {
    const variables: string[] = []
    const inputs: string[] = []
    for (const reference of referencesIn(value)) {
      if (reference.kind === 'env') variables.push(reference.name)
      if (reference.kind === 'input') inputs.push(reference.id)
    }
    const from = [
      ...(variables.length > 0 ? [t`from your ${variables.join(', ')}`] : []),
      ...(inputs.length > 0 ? [t`kept secret: ${inputs.join(', ')}`] : []),
    ]
    return from.length > 0 ? `${name} (${from.join('; ')})` : name
  })
  return shown.sort((a, b) => (a < b ? -1 : 1))
}

/** The parts of a definition that a running server was started with. */
function startedWith(definition: ServerDefinition): unknown {
  if (definition.transport === 'builtin') return { transport: definition.transport, module: definition.module }
  if (definition.transport === 'stdio') {
    const { transport, command, args, env, cwd } = definition
    return { transport, command, args, env, cwd }
  }
  const { transport, url, headers, oauth } = definition
  return { transport, url, headers, oauth }
}

/** Whether one can take the other's place without a restart. */
export const startsAlike = (a: ServerDefinition, b: ServerDefinition): boolean => isDeepStrictEqual(startedWith(a), startedWith(b))
