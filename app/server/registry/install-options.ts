// Options for installing a registry entry: each of its packages and remotes, with the slots that the person fills in, or the reason why it
// cannot be used. An entry may choose among the runners of its kind of package; any other program that it names is not run.
import { t } from '#app/i18n/translate.ts'
import { fileNameIn, isSha256 } from '../bundle/bundle-download.ts'
import { referenceIn, referenceInSlot, type Slot, slotOf, slotOfArgument, withVariables } from './fill-slots.ts'
import type { RegistryEntry, RegistryInput, RegistryPackage, RegistryRemote } from './registry-entry.ts'
import { registryAddressProblem } from './registry-url.ts'

interface Runner {
  readonly command: string
  /** Words before the runtime arguments. */
  readonly first: readonly string[]
  /** Options put before the runtime arguments, unless one of the same meaning is there. */
  readonly once: readonly (readonly [wanted: string, ...alike: string[]])[]
  /** Words between the runtime arguments and the package. */
  readonly source: readonly string[]
  readonly spec: string
  /** Words between the package and its own arguments, where it has any. */
  readonly before: readonly string[]
}

type RunnerOf = { readonly kind: 'runner'; readonly runner: Runner; readonly hintPassedOver?: string } | CannotRun
interface CannotRun {
  readonly kind: 'cannot'
  readonly why: string
  readonly remedy: string
}

const seeRepository = () => t`See its repository.`
/** Reason for a value that no honest entry has. */
export const notAllowed = (value: string): string => t`“${value}” is not allowed here.`
const cannot = (why: string, remedy: string): CannotRun => ({ kind: 'cannot', why, remedy })

interface PackageKind {
  /** Names of packages. None can begin like an option, name a file, or lead to another place than its registry. */
  readonly form: RegExp
  readonly usualBase: RegExp
  /** Programs that can run it, the usual one first. */
  readonly commands: readonly [string, ...string[]]
  /** `base`: address of another registry than the usual one. */
  readonly runner: (pack: RegistryPackage, command: string, base: string | undefined) => Partial<Runner> & Pick<Runner, 'spec'>
}

const withVersion = ({ identifier, version }: RegistryPackage, sign: string): string =>
  version === undefined ? identifier : `${identifier}${sign}${version}`
const fromBase = (option: string, base: string | undefined): string[] => (base === undefined ? [] : [option, base])

/** Kinds of packages that can be run, by `registryType`: `npx -y id@version`, `uvx id==version`, `dnx id@version --yes`, `docker run -i --rm image`. */
const packageKinds: Readonly<Record<string, PackageKind>> = {
  npm: {
    form: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$/,
    usualBase: /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/,
    commands: ['npx', 'bunx'],
    runner: (pack, command, base) => ({
      once: command === 'npx' ? [['-y', '--yes']] : [],
      source: fromBase('--registry', base),
      spec: withVersion(pack, '@'),
    }),
  },
  pypi: {
    form: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._,-]+\])?$/,
    usualBase: /^https:\/\/(?:www\.)?pypi\.(?:python\.)?org(?:\/simple)?\/?$/,
    commands: ['uvx'],
    runner: (pack, _command, base) => ({ source: fromBase('--default-index', base), spec: withVersion(pack, '==') }),
  },
  nuget: {
    form: /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
    usualBase: /^https:\/\/(?:api\.nuget\.org(?:\/v3(?:\/index\.json)?)?|www\.nuget\.org)\/?$/,
    commands: ['dnx'],
    runner: (pack, _command, base) => ({
      once: [['--yes', '-y']],
      source: fromBase('--source', base),
      spec: withVersion(pack, '@'),
      before: ['--'],
    }),
  },
  oci: {
    form: /^[a-z0-9][a-z0-9.-]*(?::\d+)?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/,
    usualBase: /^https:\/\/(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)\/?$/,
    commands: ['docker', 'podman'],
    runner: (pack, _command, base) => ({
      first: ['run'],
      once: [['-i', '--interactive', '-it', '-ti'], ['--rm']],
      spec: imageOf(pack, base),
    }),
  },
}
const versionForm = /^[0-9A-Za-z][0-9A-Za-z.+_!-]*$/

function runnerOf(pack: RegistryPackage): RunnerOf {
  const { registryType, identifier, version, registryBaseUrl: base, runtimeHint } = pack
  const kind = Object.hasOwn(packageKinds, registryType) ? packageKinds[registryType] : undefined
  if (!kind) return noRunner(pack)
  if (!kind.form.test(identifier)) return cannot(notAllowed(identifier), seeRepository())
  if (version !== undefined && !versionForm.test(version)) return cannot(notAllowed(version), seeRepository())
  if (base !== undefined && !isHttps(base)) return cannot(notAllowed(base), seeRepository())
  const command = kind.commands.find((one) => one === runtimeHint) ?? kind.commands[0]
  const foreign = base === undefined || kind.usualBase.test(base) ? undefined : base
  const passedOver = !runtimeHint || runtimeHint === command ? {} : { hintPassedOver: runtimeHint }
  const runner = { command, first: [], once: [], source: [], before: [], ...kind.runner(pack, command, foreign) }
  return { kind: 'runner', runner, ...passedOver }
}

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'

/** Name of an image. Newer entries have registry and version in the identifier, older ones apart. */
function imageOf({ identifier, version }: RegistryPackage, base: string | undefined): string {
  const named = base === undefined || identifier.split('/')[0]?.includes('.') ? identifier : `${new URL(base).host}/${identifier}`
  const tagged = /@sha256:|:[^/]+$/.test(named)
  return tagged || version === undefined ? named : `${named}:${version}`
}

const noRunner = ({ registryType, identifier }: RegistryPackage): CannotRun =>
  registryType === 'cargo' || registryType === 'go'
    ? cannot(
        t`Assent cannot start a package of the kind “${registryType}”.`,
        t`Install it with “${`${registryType} install ${identifier}`}”, then add its command.`,
      )
    : cannot(t`Assent cannot start a package of the kind “${registryType}”.`, seeRepository())

interface OptionBase {
  readonly id: string
  readonly label: string
  readonly what: string
}

export interface PackageOption extends OptionBase {
  readonly kind: 'package'
  readonly pack: RegistryPackage
  readonly runner: Runner
  readonly hintPassedOver?: string
  readonly runtime: readonly Slot[]
  readonly args: readonly Slot[]
  readonly env: readonly Slot[]
}

export interface RemoteOption extends OptionBase {
  readonly kind: 'remote'
  readonly transport: 'streamable-http' | 'sse'
  readonly url: Slot
  readonly headers: readonly Slot[]
}

/** A bundle (.mcpb): its command and settings stand in its manifest, not in the entry. */
interface BundleOption extends OptionBase {
  readonly kind: 'bundle'
  readonly url: string
  readonly sha256: string | undefined
}

interface UnusableOption extends OptionBase, Omit<CannotRun, 'kind'> {
  readonly kind: 'unusable'
}

/** Option from which the entry alone makes a command or a connection. */
export type DirectOption = PackageOption | RemoteOption
export type InstallOption = DirectOption | BundleOption | UnusableOption

/** Lists the options: packages, then addresses, then those that cannot be used. */
export function optionsOf(entry: RegistryEntry): InstallOption[] {
  const all = [...entry.packages.map(packageOption), ...entry.remotes.map(remoteOption)]
  return [...all.filter(({ kind }) => kind !== 'unusable'), ...all.filter(({ kind }) => kind === 'unusable')]
}

export function sectionsOf(option: InstallOption): { readonly title: string; readonly slots: readonly Slot[] }[] {
  const section = (title: string, slots: readonly Slot[]) => ({ title, slots: slots.filter(({ fields }) => fields.length > 0) })
  const sections = []
  if (option.kind === 'package')
    sections.push(
      section(t`Arguments`, option.args),
      section(t`Environment`, option.env),
      section(`${t`Arguments`} (${option.runner.command})`, option.runtime),
    )
  if (option.kind === 'remote') sections.push(section(t`Address`, [option.url]), section(t`Headers`, option.headers))
  return sections.filter(({ slots }) => slots.length > 0)
}

export const slotsOf = (option: InstallOption): Slot[] => sectionsOf(option).flatMap(({ slots }) => slots)

function packageOption(pack: RegistryPackage, at: number): InstallOption {
  const base = { id: `package-${at}`, label: pack.registryType, what: pack.identifier }
  if (pack.transport.type !== 'stdio')
    return unusable(
      base,
      t`This server listens on an address. Assent starts stdio servers only.`,
      t`Start it yourself, then add its address.`,
    )
  if (pack.registryType === 'mcpb') return bundleOption(base, pack)
  const found = runnerOf(pack)
  if (found.kind === 'cannot') return unusable(base, found.why, found.remedy)
  const runtime = pack.runtimeArguments.map((argument, index) => slotOfArgument(argument, `runtime-${index}`))
  const args = pack.packageArguments.map((argument, index) => slotOfArgument(argument, `argument-${index}`))
  const env = pack.environmentVariables.map((pair, index) => slotOf({ id: `env-${index}`, label: pair.name }, pair))
  const bad = pack.environmentVariables.find(({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (bad) return unusable(base, notAllowed(bad.name), seeRepository())
  const fault = faultIn([...runtime, ...args, ...env])
  if (fault) return unusable(base, fault, seeRepository())
  return { ...base, ...found, kind: 'package', pack, runtime, args, env }
}

function bundleOption(base: OptionBase, { identifier: url, fileSha256: sha256 }: RegistryPackage): InstallOption {
  if (!isWebAddress(url) || registryAddressProblem(`${new URL(url).origin}/`) !== undefined)
    return unusable(base, notAllowed(url), seeRepository())
  if (sha256 !== undefined && !isSha256(sha256)) return unusable(base, notAllowed(sha256), seeRepository())
  return { ...base, what: fileNameIn(url), kind: 'bundle', url, sha256 }
}

const anyInput: RegistryInput = {
  ...{ description: undefined, placeholder: undefined, value: undefined, default: undefined, choices: undefined },
  ...{ isRequired: true, isSecret: false, format: 'string' },
}

function remoteOption(remote: RegistryRemote, at: number): InstallOption {
  const base = { id: `remote-${at}`, label: remote.type, what: remote.url }
  if (remote.type !== 'streamable-http' && remote.type !== 'sse') return unusable(base, notAllowed(remote.type), t`Update Assent.`)
  // An address with a gap cannot be used, so a variable that the entry does not describe is asked for too.
  const gaps = [...remote.url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => [name, anyInput] as const)
  const { template, fields } = withVariables(remote.url, { ...Object.fromEntries(gaps), ...remote.variables })
  const url: Slot = { id: 'url', label: t`Address`, template, fields, repeated: false }
  const whole = template.replace(/\{[^{}]+\}/g, 'x')
  if (!/^(?:https?:\/\/|x)/.test(whole) || (fields.length === 0 && !isWebAddress(template)))
    return unusable(base, notAllowed(remote.url), seeRepository())
  const bad = remote.headers.find(({ name }) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
  if (bad) return unusable(base, notAllowed(bad.name), seeRepository())
  const headers = remote.headers.map((pair, index) => slotOf({ id: `header-${index}`, label: pair.name }, pair))
  const fault = faultIn([url, ...headers])
  if (fault) return unusable(base, fault, seeRepository())
  return { ...base, kind: 'remote', transport: remote.type, url, headers }
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const unusable = (base: OptionBase, why: string, remedy: string): UnusableOption => ({ ...base, kind: 'unusable', why, remedy })

/** Finds text that no honest entry has: a reference, or a control character. */
function faultIn(slots: readonly Slot[]): string | undefined {
  for (const slot of slots) {
    const reference = referenceInSlot(slot) ?? referenceIn(slot.label)
    if (reference !== undefined) return notAllowed(reference)
    const texts = [slot.option ?? '', slot.template, ...slot.fields.flatMap(({ initial, choices = [] }) => [initial, ...choices])]
    if (texts.some((text) => /\p{Cc}/u.test(text))) return notAllowed(slot.label)
  }
  return undefined
}
