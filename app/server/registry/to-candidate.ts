// Makes a candidate from a registry entry and the values that the person filled in. The screen that adds servers takes it from there.
import { t } from '#app/i18n/translate.ts'
import { variableEffectOf } from '#app/text/environment-names.ts'
import { freeName } from '#app/text/look-alike.ts'
import { asDefined, toCandidate } from '../candidate.ts'
import type { ConfigProblem, HttpDefinition, ServerDefinition, StdioDefinition } from '../definition.ts'
import { secretPaths } from '../sandbox/protected-paths.ts'
import { type Asking, type Slot, type SlotValues, valuesOfSlot } from './fill-slots.ts'
import { type DirectOption, isWebAddress, type PackageOption, type RemoteOption } from './install-options.ts'
import { nameForEntry, type RegistryEntry } from './registry-entry.ts'

interface InstallChoice {
  readonly option: DirectOption
  readonly filled: SlotValues
  readonly taken?: readonly string[]
}

/** `taken`: names in use here. The notes on the command that it returns are among the problems of the server too. */
export function toInstall(entry: RegistryEntry, { option, filled, taken = [] }: InstallChoice) {
  const name = freeName(nameForEntry(entry.name), taken)
  const asking: Asking = { prefix: name, inputs: new Map() }
  const { definition, runtime } =
    option.kind === 'package' ? packageDefinition(option, filled, asking) : remoteDefinition(option, filled, asking)
  const risks = risksOf(definition, runtime)
  const notes = notesOf(option, definition, risks)
  const server = toCandidate(name, definition, {}, [...statusNotes(entry), ...notes])
  return { server, inputs: [...asking.inputs.values()], notes, risks }
}

export type Install = ReturnType<typeof toInstall>

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

/** `runtime`: arguments of the runner itself. */
type DefinedServer<T> = { readonly definition: T; readonly runtime: readonly string[] }

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
  status === 'active' ? [] : [note(t`Marked as ${status} in the registry.`, statusMessage ?? '')]

function notesOf(option: InstallChoice['option'], definition: StdioDefinition | HttpDefinition, risks: readonly Risk[]): ConfigProblem[] {
  const notes: ConfigProblem[] = []
  if (option.kind === 'package') {
    const { pack, hintPassedOver } = option
    if (hintPassedOver !== undefined) notes.push(note(t`“${option.runner.command}” runs it, not “${hintPassedOver}”.`, ''))
    const isLoose = pack.version === undefined ? !/@sha256:|:[^/]+$/.test(pack.identifier) : pack.version === 'latest'
    if (isLoose || /:latest$/.test(pack.identifier))
      notes.push(note(t`Its version is not fixed.`, t`Each start may fetch another version.`))
  } else if (definition.transport !== 'stdio' && !definition.url.includes('${') && !isWebAddress(definition.url))
    notes.push(note(t`“${definition.url}” is not allowed here.`, t`Correct the address.`))
  for (const { text, why } of risks) notes.push(note(`“${text}” ${why}`, t`Remove it unless you know why it is there.`))
  return notes
}

interface Risk {
  /** Text of the command that it is about. */
  readonly text: string
  readonly why: string
}

const wholeComputer = () => t`gives the container access to this computer.`
const otherCode = () => t`changes which code runs or where it connects.`
/** Options of `docker run`, alone or with the value after them. */
const container = (): readonly (readonly [RegExp, string])[] => [
  [/^--privileged(?:=true)?$/, wholeComputer()],
  [/^--(?:pid|ipc|uts|userns|cgroupns)[= ]host$/, wholeComputer()],
  [/^--(?:net|network)[= ]host$/, wholeComputer()],
  [/^--cap-add\b/, wholeComputer()],
  [/^--device\b/, wholeComputer()],
  [/^--security-opt\b/, wholeComputer()],
  [/^--(?:env-file|volumes-from)\b/, wholeComputer()],
  [/^--entrypoint\b/, otherCode()],
]
const mounts = /^(?:-v|--volume|--mount)(?:[= ]|$)/

const npmRunner = (): readonly (readonly [RegExp, string])[] => [
  [/^(?:-c|--call)(?:[= ]|$)/, otherCode()],
  [/^(?:-p|--package)(?:[= ]|$)/, otherCode()],
  [/^(?:--registry|--userconfig|--script-shell|--node-options)(?:[= ]|$)/, otherCode()],
]
const pythonRunner = (): readonly (readonly [RegExp, string])[] => [
  [/^(?:--from|--with|--with-editable|--with-requirements)(?:[= ]|$)/, otherCode()],
  [/^(?:--index|--default-index|--index-url|--extra-index-url|-i|--find-links|-f)(?:[= ]|$)/, otherCode()],
]
/** Folders and files with secrets, wherever the home folder is. */
const holdsSecrets = (path: string): boolean => secretPaths.some((secret) => `${path}/`.includes(`/${secret}/`))

/** Joins each option with the word after it, which may be its value. */
const pairs = (args: readonly string[]): string[] =>
  args.map((arg, at) => (arg.startsWith('-') && !arg.includes('=') ? `${arg} ${args[at + 1] ?? ''}` : arg))

function found(args: readonly string[], rules: readonly (readonly [RegExp, string])[]): Risk[] {
  return pairs(args).flatMap((pair, at) => {
    const rule = rules.find(([form]) => form.test(pair) || form.test(args[at] ?? ''))
    return rule ? [{ text: pair.trim(), why: rule[1] }] : []
  })
}

/** Finds folders and sockets of this computer that a container gets by `-v`, `--volume` or `--mount`. */
function mountRisks(args: readonly string[]): Risk[] {
  return pairs(args).flatMap((pair) => {
    if (!mounts.test(pair)) return []
    const value = pair.replace(mounts, '').trim()
    const source = /(?:^|,)(?:src|source)=([^,]*)/.exec(value)?.[1] ?? value.replace(/^([A-Za-z]:)?([^:]*).*$/, '$1$2')
    if (/docker\.sock|podman\.sock|containerd\.sock/.test(source)) return [{ text: pair, why: wholeComputer() }]
    if (holdsSecrets(source) || /^(?:\/|[A-Za-z]:[\\/]?|~\/?|\/(?:etc|root|home|Users|var|usr|proc|sys|dev|boot)\/?)$/.test(source))
      return [{ text: pair, why: wholeComputer() }]
    return []
  })
}

function risksOf(definition: ServerDefinition, runtime: readonly string[]): Risk[] {
  if (definition.transport === 'builtin') return []
  if (definition.transport !== 'stdio') return addressRisks(definition.url)
  const { command, env } = definition
  const isContainer = command === 'docker' || command === 'podman'
  const rules = isContainer ? container() : command === 'uvx' ? pythonRunner() : npmRunner()
  return [
    ...found(runtime, rules),
    ...(isContainer ? mountRisks(runtime) : []),
    ...Object.keys(env)
      .filter((name) => variableEffectOf(name, true) !== undefined)
      .map((name) => ({ text: name, why: otherCode() })),
  ]
}

const innerAddress =
  /^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa)|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(?:1[6-9]|2\d|3[01])\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|0\.0\.0\.0|\[(?:::1?|f[cd].*|fe80.*|::ffff:.*)\])$/i

function addressRisks(url: string): Risk[] {
  if (!URL.canParse(url)) return []
  const { protocol, hostname } = new URL(url)
  return [
    ...(innerAddress.test(hostname) ? [{ text: hostname, why: t`is in your own network, not on the internet.` }] : []),
    ...(protocol === 'http:' ? [{ text: 'http://', why: t`is not encrypted.` }] : []),
  ]
}
