// Resolution of the references in a definition before a start. Folders come first, before the person is asked, so that what is shown is
// what runs; values of the environment and of the secret store come after, and are never shown. A value is put in as it is (in an
// address: percent-encoded), and is never read as a reference itself.
import { homedir } from 'node:os'
import { basename, sep } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { mapTexts } from '#app/server/import/fresh-inputs.ts'
import { type BuiltinVariable, replaceReferences, unknownReference } from '#app/server/inputs/variable-references.ts'

type Startable = StdioDefinition | HttpDefinition

interface VariableFolders {
  readonly home?: string
  readonly folder?: string | undefined
}

/**
 * Resolves `${userHome}` and the other built-in variables.
 * @throws {HostError} `config.invalid` where a folder is needed and none is set, and for an unknown reference.
 */
export function resolveBuiltinVariables(
  server: string,
  definition: ServerDefinition,
  { home = homedir(), folder }: VariableFolders,
): ServerDefinition {
  if (definition.transport === 'builtin') return definition
  const placeOf = (place: BuiltinVariable, field: string, name: string): string => {
    switch (place) {
      case 'userHome':
        return home
      case '/':
      case 'pathSeparator':
        return sep
      case 'workspaceFolder':
      case 'workspaceFolderBasename':
        if (folder !== undefined) return place === 'workspaceFolder' ? folder : basename(folder)
        throw invalid(t`“${name}” of “${server}” needs \${${place}}. Set a folder in Settings or with --roots.`, {
          server,
          name,
          field,
          variable: place,
        })
    }
  }
  return mapTexts(definition, (text, key, name) => {
    const unknown = unknownReference(text)
    if (unknown) throw unknownIn(server, key, name, unknown.text, unknown.place)
    return replaceReferences(text, (reference) => {
      if (reference.kind === 'place') return placeOf(reference.place, key, name)
      // A field that is shown must run as it is shown.
      if (reference.kind === 'env' && !isHidden(key)) throw misplaced(server, key, name, `env:${reference.name}`)
      if (reference.kind === 'input' && key === 'command') throw misplaced(server, key, name, `input:${reference.id}`)
      return undefined
    })
  })
}

const invalid = (message: string, data: JsonObject): HostError => new HostError('config.invalid', message, { data })

function unknownIn(server: string, field: string, name: string, reference: string, place?: string): HostError {
  const unknown = t`“${name}” of “${server}” has an unknown reference: ${reference}.`
  const message = place === undefined ? unknown : `${unknown} ${t`Did you mean “${`\${${place}}`}”?`}`
  return invalid(message, { server, name, field, reference, ...(place === undefined ? {} : { didYouMean: `\${${place}}` }) })
}

function misplaced(server: string, field: string, name: string, inner: string): HostError {
  const reference = `\${${inner}}`
  const message = t`“${name}” of “${server}” cannot have ${reference}; env, headers and oauth can.`
  return invalid(message, { server, name, field, reference })
}

interface Values {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly inputs: ReadonlyMap<string, string>
}

const isHidden = (key: string): boolean => key === 'env' || key === 'headers' || key === 'oauth'

/**
 * Resolves variables of the environment and inputs.
 * @throws {HostError} `config.invalid` for a variable that is not set: an empty secret would only fail later and less plainly.
 */
export function resolveVariables<T extends Startable>(server: string, definition: T, { environment, inputs }: Values): T {
  const filled = mapTexts(definition, (text, key, name) => {
    if (key === 'command') return text
    return replaceReferences(text, (reference) => {
      if (reference.kind === 'input') {
        const value = inputs.get(reference.id)
        return value !== undefined && key === 'url' ? encodeURIComponent(value.toWellFormed()) : value
      }
      if (reference.kind !== 'env' || !isHidden(key)) return undefined
      const found = Object.hasOwn(environment, reference.name) ? environment[reference.name] : undefined
      if (found !== undefined) return found
      const variable = reference.name
      throw invalid(t`“${name}” of “${server}” needs the variable ${variable}.`, { server, name, variable })
    })
  })
  // This host was approved: a value must not lead to another one.
  if ('url' in definition && 'url' in filled && new URL(definition.url).origin !== new URL(filled.url).origin)
    throw invalid(t`A value of “${server}” changes the host of its address. Nothing was sent.`, { server })
  if ('url' in filled) assertSendable(server, filled)
  return filled
}

/** Refuses what `fetch` would refuse without naming it. Values are not repeated in the error. */
function assertSendable(server: string, { url, headers }: HttpDefinition): void {
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw invalid(t`The address of “${server}” has a password. Use the header Authorization.`, { server, name: 'url' })
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value))
      throw invalid(t`The header ${JSON.stringify(name)} of “${server}” has a character that is not allowed.`, { server, name })
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false // The message of the error would repeat the value.
  }
}

/** Texts of a definition in which inputs count: all but the name of its program. */
export const textsWithInputs = (definition: ServerDefinition): unknown =>
  definition.transport === 'stdio' ? { ...definition, command: '' } : definition
