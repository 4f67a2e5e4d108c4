// Makes a candidate from a registry entry and the values that the person filled in. The screen that adds servers takes it from there.
import { t } from '#app/i18n/translate.ts'
import type { ConfigProblem, HttpDefinition, StdioDefinition } from '../definition.ts'
import type { Candidate } from '../import/candidate.ts'
import { asDefined, toCandidate } from '../import/candidate.ts'
import { freeName } from '../import/server-names.ts'
import type { InputDeclaration } from '../inputs/input.ts'
import { type Risk, risksOf } from './entry-warnings.ts'
import type { Slot } from './fill-slots.ts'
import { type Asking, type SlotValues, valuesOfSlot } from './fill-slots.ts'
import { type DirectOption, isWebAddress, type PackageOption, type RemoteOption } from './install-options.ts'
import type { RegistryEntry } from './registry-entry.ts'
import { nameForEntry } from './registry-entry.ts'

interface InstallChoice {
  readonly option: DirectOption
  readonly filled: SlotValues
  /** Names in use here. */
  readonly taken?: readonly string[]
}

export interface Install {
  readonly server: Candidate
  /** Declarations of its inputs. */
  readonly inputs: InputDeclaration[]
  /** Notes on the command, which are among the problems of the server too. */
  readonly notes: readonly ConfigProblem[]
  readonly risks: readonly Risk[]
}

export function toInstall(entry: RegistryEntry, { option, filled, taken = [] }: InstallChoice): Install {
  const name = freeName(nameForEntry(entry.name), taken)
  const asking: Asking = { prefix: name, inputs: new Map() }
  const { definition, runtime } =
    option.kind === 'package' ? packageDefinition(option, filled, asking) : remoteDefinition(option, filled, asking)
  const risks = risksOf(definition, runtime)
  const notes = notesOf(option, definition, risks)
  const server = toCandidate(name, definition, {}, [...statusNotes(entry), ...notes])
  return { server, inputs: [...asking.inputs.values()], notes, risks }
}

const wordsOf = (slots: readonly Slot[], filled: SlotValues, asking: Asking): string[] =>
  slots.flatMap((slot) => {
    const { option } = slot
    if (slot.template === '') return option === undefined ? [] : [option]
    return valuesOfSlot(slot, filled, asking).flatMap((value) => {
      if (option === undefined) return [value]
      // `--flag=true`: a switch that is given its value apart would take it for the next argument.
      return option.endsWith('=') ? [`${option}${value}`] : isSwitch(slot) ? [`${option}=${value}`] : [option, value]
    })
  })

const isSwitch = ({ fields }: Slot): boolean => fields.length === 1 && fields[0]?.format === 'boolean'

interface DefinedServer<T> {
  readonly definition: T
  /** Arguments of the runner itself. */
  readonly runtime: readonly string[]
}

function packageDefinition(option: PackageOption, filled: SlotValues, asking: Asking): DefinedServer<StdioDefinition> {
  const { runner, pack } = option
  const env: Record<string, string> = {}
  for (const slot of option.env) for (const value of valuesOfSlot(slot, filled, asking)) env[slot.label] = value
  const told = withoutPackage(wordsOf(option.runtime, filled, asking), [runner.spec, pack.identifier, `${pack.identifier}@${pack.version}`])
  const own = told[0] === runner.first[0] ? told.slice(1) : told
  const runtime = [
    ...runner.once.filter((alike) => !alike.some((word) => own.includes(word))).map(([wanted]) => wanted),
    ...(pack.registryType === 'oci' ? namedVariables(own, env) : own),
  ]
  const args = wordsOf(option.args, filled, asking)
  const all = [...runner.first, ...runtime, ...runner.source, runner.spec, ...(args.length > 0 ? [...runner.before, ...args] : [])]
  return { definition: { ...asDefined, transport: 'stdio', command: runner.command, args: all, env }, runtime }
}

/** Removes the package from the arguments of its runner, where some entries name it too. */
const withoutPackage = (words: readonly string[], names: readonly string[]): string[] => words.filter((word) => !names.includes(word))

/** Passes variables to a container by name: a value in a command line could be read by others. */
function namedVariables(words: readonly string[], env: Record<string, string>): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const given = word === '-e' || word === '--env' ? /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(words[at + 1] ?? '') : undefined
    if (!given) {
      kept.push(word)
      continue
    }
    const [, name = '', value] = given
    if (value !== undefined) env[name] ??= value
    at += 1
  }
  return [...Object.keys(env).flatMap((name) => ['-e', name]), ...kept]
}

function remoteDefinition(option: RemoteOption, filled: SlotValues, asking: Asking): DefinedServer<HttpDefinition> {
  const [url = ''] = valuesOfSlot(option.url, filled, asking)
  const headers: Record<string, string> = {}
  for (const slot of option.headers) for (const value of valuesOfSlot(slot, filled, asking)) headers[slot.label] = value
  return { definition: { ...asDefined, transport: option.transport, url, headers }, runtime: [] }
}

const note = (message: string, remedy: string): ConfigProblem => ({ file: t`the registry`, message, remedy })

const statusNotes = ({ status, statusMessage }: RegistryEntry): ConfigProblem[] =>
  status === 'active'
    ? []
    : [note(t`It is marked as ${status} in the registry.`, statusMessage ?? t`Its publisher wants nobody to use it any more.`)]

function notesOf(option: InstallChoice['option'], definition: StdioDefinition | HttpDefinition, risks: readonly Risk[]): ConfigProblem[] {
  const notes: ConfigProblem[] = []
  if (option.kind === 'package') {
    const { pack, hintPassedOver } = option
    if (hintPassedOver !== undefined)
      notes.push(
        note(t`Its entry wants to be run by “${hintPassedOver}”, which is not used.`, t`${option.runner.command} runs it instead.`),
      )
    if (pack.version === undefined && !/@sha256:|:[^/]+$/.test(pack.identifier))
      notes.push(note(t`It names no version.`, t`Each start may fetch another one than you looked at.`))
    else if (pack.version === 'latest' || /:latest$/.test(pack.identifier))
      notes.push(note(t`Its version is “latest”.`, t`Each start may fetch another one than you looked at.`))
  } else if (definition.transport !== 'stdio' && !definition.url.includes('${') && !isWebAddress(definition.url))
    notes.push(note(t`“${definition.url}” is no http:// or https:// address.`, t`Correct it before you add it.`))
  for (const { text, why } of risks) notes.push(note(`“${text}” ${why}`, t`Take it out unless you know why it is there.`))
  return notes
}
