// A definition made ready for a start: what its references stand for is put in. Places come first, before the person is
// asked, so that what is shown is what runs; values of the environment and of the secret store come after, and are never
// shown. A value is put in as it is (in an address: encoded), and is never read as a reference itself.
import { homedir } from 'node:os'
import { basename, sep } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { type BuiltinVariable, replaceReferences, unknownReference } from '#app/server/inputs/variable-references.ts'

type Startable = StdioDefinition | HttpDefinition

/** Every text of it, with its place: the key of the definition that it stands under, and its name within that. */
function mapTexts<T extends Startable>(definition: T, change: (text: string, key: string, name: string) => string): T {
  const walk = (value: unknown, key: string, name: string): unknown => {
    if (typeof value === 'string') return change(value, key, name)
    if (Array.isArray(value)) return value.map((item) => walk(item, key, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, walk(item, key, inner)]))
  }
  const { transport, ...rest } = definition
  // Texts are changed to texts, so the shape is what it was.
  return { ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value, key, key)])), transport } as T
}

interface VariableFolders {
  readonly home?: string
  /** `${workspaceFolder}`; undefined: none is set. */
  readonly folder?: string | undefined
}

/** Puts in `${userHome}` and the like. Throws `config.invalid` where a folder is wanted and none is set, and for what is none. */
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
        throw new HostError(
          'config.invalid',
          t`“${name}” of “${server}” needs \${${place}}, and no folder is set. Write the path itself, set a folder in Settings, or start Assent with --roots DIR.`,
          { data: { server, name, field, variable: place } },
        )
    }
  }
  return mapTexts(definition, (text, key, name) => {
    const unknown = unknownReference(text)
    if (unknown) throw unknownIn(server, key, name, unknown.text, unknown.place)
    return replaceReferences(text, (reference) => {
      if (reference.kind === 'place') return placeOf(reference.place, key, name)
      // What is shown to the person, as it is, must not be another thing when it runs.
      if (reference.kind === 'env' && !isHidden(key)) throw misplaced(server, key, name, `env:${reference.name}`)
      if (reference.kind === 'input' && key === 'command') throw misplaced(server, key, name, `input:${reference.id}`)
      return undefined
    })
  })
}

function unknownIn(server: string, field: string, name: string, reference: string, place?: string): HostError {
  const message =
    place === undefined
      ? t`“${name}” of “${server}” holds ${reference}, which stands for nothing here.`
      : t`“${name}” of “${server}” holds ${reference}, which stands for nothing here. Did you mean ${`\${${place}}`}?`
  return new HostError('config.invalid', message, {
    data: { server, name, field, reference, ...(place === undefined ? {} : { didYouMean: `\${${place}}` }) },
  })
}

function misplaced(server: string, field: string, name: string, inner: string): HostError {
  const reference = `\${${inner}}`
  const message = inner.startsWith('env:')
    ? t`“${name}” of “${server}” holds ${reference}, which is only filled in in env, headers and oauth.`
    : t`“${name}” of “${server}” holds ${reference}, which is only filled in outside of the command.`
  return new HostError('config.invalid', message, {
    data: { server, name, field, reference },
  })
}

interface Values {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Of every input that the definition names. */
  readonly inputs: ReadonlyMap<string, string>
}

/** `${env:NAME}` counts in values that are not shown anywhere: not in arguments, addresses and folders. */
const isHidden = (key: string): boolean => key === 'env' || key === 'headers' || key === 'oauth'

/** Throws `config.invalid` for a variable that is not set: an empty secret would only fail later and less plainly. */
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
      throw new HostError('config.invalid', t`“${name}” of “${server}” needs the variable ${reference.name}, which is not set.`, {
        data: { server, name, variable: reference.name },
      })
    })
  })
  // What was approved is this host; a value must not lead to another one.
  if ('url' in definition && 'url' in filled && new URL(definition.url).origin !== new URL(filled.url).origin)
    throw new HostError('config.invalid', t`A value of “${server}” changes the host of its address. Nothing was sent.`, {
      data: { server },
    })
  if ('url' in filled) assertSendable(server, filled)
  return filled
}

/** `fetch` would refuse these without a word on which it was. Their values are not repeated. */
function assertSendable(server: string, { url, headers }: HttpDefinition): void {
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw new HostError(
      'config.invalid',
      t`The address of “${server}” holds a name or a password, which cannot be sent that way. Put it into the header Authorization.`,
      { data: { server, name: 'url' } },
    )
  for (const [name, value] of Object.entries(headers)) {
    if (isHeader(name, value)) continue
    throw new HostError(
      'config.invalid',
      t`The header ${JSON.stringify(name)} of “${server}” holds what no header can, such as a line break.`,
      {
        data: { server, name },
      },
    )
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false // Its words would repeat the value.
  }
}

/** The ids of the definition's inputs; in the program's own name none counts. */
export const textsWithInputs = (definition: ServerDefinition): unknown =>
  definition.transport === 'stdio' ? { ...definition, command: '' } : definition
