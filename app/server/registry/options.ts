// The ways in which an entry can be had: each of its packages and remotes, with what the person can say about it, or why
// it cannot be used. Nothing of an entry is taken as a command here but what a runner of its kind is given.
import { t } from '../../words/translate.ts'
import { fileNameIn, sha256Text } from '../bundle/download.ts'
import { registryAddressProblem } from './address.ts'
import { type CannotRun, type Runner, runnerOf } from './command.ts'
import type { RegistryEntry, RegistryInput, RegistryPackage, RegistryRemote } from './entry.ts'
import { referenceIn, referenceInSlot } from './fill.ts'
import { type Slot, slotOf, slotOfArgument, withVariables } from './slots.ts'

interface OptionBase {
  /** Within the entry: `package-0`. */
  readonly id: string
  /** npm, pypi, …; the transport of an address. */
  readonly label: string
  /** The package or the address, as its publisher wrote it. */
  readonly what: string
}

export interface PackageOption extends OptionBase {
  readonly kind: 'package'
  readonly pack: RegistryPackage
  readonly runner: Runner
  readonly hintPassedOver?: string
  /** Arguments of the runner. */
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

/** A bundle (.mcpb): what it runs and asks for stands in it, not in the entry. */
export interface BundleOption extends OptionBase {
  readonly kind: 'bundle'
  readonly url: string
  /** In hexadecimal; undefined: the entry names none. */
  readonly sha256: string | undefined
}

export interface UnusableOption extends OptionBase, Omit<CannotRun, 'kind'> {
  readonly kind: 'unusable'
}

/** What makes a command or a connection by the entry alone. */
export type DirectOption = PackageOption | RemoteOption
export type InstallOption = DirectOption | BundleOption | UnusableOption

/** In the order of their use to most: what runs here over stdio, then addresses, then what cannot be used. */
export function optionsOf(entry: RegistryEntry): InstallOption[] {
  const all = [...entry.packages.map(packageOption), ...entry.remotes.map(remoteOption)]
  return [...all.filter(({ kind }) => kind !== 'unusable'), ...all.filter(({ kind }) => kind === 'unusable')]
}

/** What the person can say about it, section by section. */
export function sectionsOf(option: InstallOption): { readonly title: string; readonly slots: readonly Slot[] }[] {
  const sections =
    option.kind === 'package'
      ? [
          { title: t`Arguments`, slots: option.args },
          { title: t`Environment`, slots: option.env },
          { title: t`Arguments of ${option.runner.command}`, slots: option.runtime },
        ]
      : option.kind === 'remote'
        ? [
            { title: t`Address`, slots: [option.url] },
            { title: t`Headers`, slots: option.headers },
          ]
        : []
  return sections
    .map(({ title, slots }) => ({ title, slots: slots.filter(({ fields }) => fields.length > 0) }))
    .filter(({ slots }) => slots.length > 0)
}

export const slotsOf = (option: InstallOption): Slot[] => sectionsOf(option).flatMap(({ slots }) => slots)

function packageOption(pack: RegistryPackage, at: number): InstallOption {
  const base = { id: `package-${at}`, label: pack.registryType, what: pack.identifier }
  if (pack.transport.type !== 'stdio')
    return unusable(
      base,
      t`It runs here and listens on an address of its own. Assent starts only programs that are spoken to directly (stdio).`,
      t`Start it yourself, then add the address that it names.`,
    )
  if (pack.registryType === 'mcpb') return bundleOption(base, pack)
  const found = runnerOf(pack)
  if (found.kind === 'cannot') return unusable(base, found.why, found.remedy)
  const runtime = pack.runtimeArguments.map((argument, index) => slotOfArgument(argument, `runtime-${index}`))
  const args = pack.packageArguments.map((argument, index) => slotOfArgument(argument, `argument-${index}`))
  const env = pack.environmentVariables.map((pair, index) => slotOf({ id: `env-${index}`, label: pair.name }, pair))
  const bad = pack.environmentVariables.find(({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (bad) return unusable(base, t`“${bad.name}” is no name of a variable.`, t`Nothing of it is run. Look at its repository.`)
  const fault = faultIn([...runtime, ...args, ...env])
  if (fault) return unusable(base, fault, t`Nothing of it is run. Look at its repository.`)
  const { runner, hintPassedOver } = found
  return { ...base, kind: 'package', pack, runner, runtime, args, env, ...(hintPassedOver === undefined ? {} : { hintPassedOver }) }
}

function bundleOption(base: OptionBase, { identifier: url, fileSha256: sha256 }: RegistryPackage): InstallOption {
  if (!isWebAddress(url) || registryAddressProblem(`${new URL(url).origin}/`) !== undefined)
    return unusable(base, t`“${url}” is no https:// address of a bundle.`, t`Nothing of it is fetched. Look at its repository.`)
  if (sha256 !== undefined && !sha256Text.safeParse(sha256).success)
    return unusable(base, t`“${sha256}” is no SHA-256 of a bundle.`, t`Nothing of it is fetched: what came could be anything.`)
  return { ...base, what: fileNameIn(url), kind: 'bundle', url, sha256 }
}

const anyInput: RegistryInput = {
  ...{ description: undefined, placeholder: undefined, value: undefined, default: undefined, choices: undefined },
  ...{ isRequired: true, isSecret: false, format: 'string' },
}

function remoteOption(remote: RegistryRemote, at: number): InstallOption {
  const base = { id: `remote-${at}`, label: remote.type, what: remote.url }
  if (remote.type !== 'streamable-http' && remote.type !== 'sse')
    return unusable(base, t`It is spoken to over “${remote.type}”, which Assent does not know.`, t`A newer version of Assent may.`)
  // An address with a gap is none: what nobody told of is asked for all the same.
  const gaps = [...remote.url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => [name, anyInput] as const)
  const { template, fields } = withVariables(remote.url, { ...Object.fromEntries(gaps), ...remote.variables })
  const url: Slot = { id: 'url', label: t`Address`, template, fields, repeated: false }
  const whole = template.replace(/\{[^{}]+\}/g, 'x')
  if (!/^(?:https?:\/\/|x)/.test(whole) || (fields.length === 0 && !isWebAddress(template)))
    return unusable(base, t`“${remote.url}” is no http:// or https:// address.`, t`Nothing is sent there.`)
  const bad = remote.headers.find(({ name }) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
  if (bad) return unusable(base, t`“${bad.name}” is no name of a header.`, t`Nothing is sent there.`)
  const headers = remote.headers.map((pair, index) => slotOf({ id: `header-${index}`, label: pair.name }, pair))
  const fault = faultIn([url, ...headers])
  if (fault) return unusable(base, fault, t`Nothing is sent there.`)
  return { ...base, kind: 'remote', transport: remote.type, url, headers }
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const unusable = (base: OptionBase, why: string, remedy: string): UnusableOption => ({ ...base, kind: 'unusable', why, remedy })

/** What no honest entry has. */
function faultIn(slots: readonly Slot[]): string | undefined {
  for (const slot of slots) {
    const reference = referenceInSlot(slot) ?? referenceIn(slot.label)
    if (reference !== undefined)
      return t`It says “${reference}”, which would be filled in with something that is yours: a secret, or a variable of this computer.`
    const texts = [slot.option ?? '', slot.template, ...slot.fields.flatMap(({ initial, choices = [] }) => [initial, ...choices])]
    if (texts.some((text) => /\p{Cc}/u.test(text))) return t`“${slot.label}” holds characters that no argument has, such as a line break.`
  }
  return undefined
}
