// Which program runs a package, and how: `npx -y id@version`, `uvx id==version`, `docker run -i --rm image`,
// `dnx id@version --yes`. An entry may choose among runners of its kind; anything else that it names is not run.
import { t } from '../../words/translate.ts'
import type { RegistryPackage } from './entry.ts'

export interface Runner {
  readonly command: string
  /** Before the runtime arguments. */
  readonly first: readonly string[]
  /** Each of them stands there once, before the runtime arguments, unless one of these does already. */
  readonly once: readonly (readonly [wanted: string, ...alike: string[]])[]
  /** Between the runtime arguments and the package. */
  readonly source: readonly string[]
  readonly spec: string
  /** Between the package and its own arguments, where it has any. */
  readonly before: readonly string[]
}

export type RunnerOf = { readonly kind: 'runner'; readonly runner: Runner; readonly hintPassedOver?: string } | CannotRun
export interface CannotRun {
  readonly kind: 'cannot'
  readonly why: string
  readonly remedy: string
}

const cannot = (why: string, remedy: string): CannotRun => ({ kind: 'cannot', why, remedy })

/** None can begin like an option, name a file, or lead to another place than its registry. */
const forms: Readonly<Record<string, RegExp>> = {
  npm: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$/,
  pypi: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._,-]+\])?$/,
  nuget: /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
  oci: /^[a-z0-9][a-z0-9.-]*(?::\d+)?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/,
}
const versionForm = /^[0-9A-Za-z][0-9A-Za-z.+_!-]*$/
const defaultBases: Readonly<Record<string, RegExp>> = {
  npm: /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/,
  pypi: /^https:\/\/(?:www\.)?pypi\.(?:python\.)?org(?:\/simple)?\/?$/,
  nuget: /^https:\/\/(?:api\.nuget\.org(?:\/v3(?:\/index\.json)?)?|www\.nuget\.org)\/?$/,
  oci: /^https:\/\/(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)\/?$/,
}

/** Of what a hint may choose among: what it runs, by its name. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npm: ['npx', 'bunx'],
  pypi: ['uvx'],
  nuget: ['dnx'],
  oci: ['docker', 'podman'],
}

export function runnerOf(pack: RegistryPackage): RunnerOf {
  const { registryType: type, identifier, version, registryBaseUrl: base, runtimeHint } = pack
  const form = forms[type]
  if (!form) return noRunner(pack)
  if (!form.test(identifier))
    return cannot(t`“${identifier}” is no name of ${kindWords()[type] ?? t`a package`}.`, t`Nothing of it is run. Look at its repository.`)
  if (version !== undefined && !versionForm.test(version))
    return cannot(t`“${version}” is no version of a package.`, t`Nothing of it is run. Look at its repository.`)
  if (base !== undefined && !isHttps(base))
    return cannot(t`Its package comes from “${base}”, which is no https:// address.`, t`Nothing of it is run.`)
  const [usual = '', ...others] = runners[type] ?? []
  const chosen = runtimeHint !== undefined && [usual, ...others].includes(runtimeHint) ? runtimeHint : usual
  const foreign = base === undefined || defaultBases[type]?.test(base) ? undefined : base
  const passedOver = runtimeHint === undefined || runtimeHint === '' || runtimeHint === chosen ? {} : { hintPassedOver: runtimeHint }
  return { kind: 'runner', runner: made(type, chosen, pack, foreign), ...passedOver }
}

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'

const kindWords = (): Readonly<Record<string, string>> => ({
  npm: t`an npm package`,
  pypi: t`a Python package`,
  nuget: t`a NuGet package`,
  oci: t`a container image`,
})

function made(type: string, command: string, { identifier, version }: RegistryPackage, base: string | undefined): Runner {
  const at = version === undefined ? identifier : `${identifier}@${version}`
  const none = { first: [], once: [], source: [], before: [] }
  switch (type) {
    case 'pypi':
      return {
        ...none,
        command,
        source: base === undefined ? [] : ['--default-index', base],
        spec: version === undefined ? identifier : `${identifier}==${version}`,
      }
    case 'nuget':
      return { ...none, command, once: [['--yes', '-y']], source: base === undefined ? [] : ['--source', base], spec: at, before: ['--'] }
    case 'oci':
      return {
        ...none,
        command,
        first: ['run'],
        once: [['-i', '--interactive', '-it', '-ti'], ['--rm']],
        spec: imageOf(identifier, version, base),
      }
    default:
      return {
        ...none,
        command,
        once: command === 'npx' ? [['-y', '--yes']] : [],
        source: base === undefined ? [] : ['--registry', base],
        spec: at,
      }
  }
}

/** Newer entries have it all in the name; older ones apart. */
function imageOf(identifier: string, version: string | undefined, base: string | undefined): string {
  const named = base === undefined || identifier.split('/')[0]?.includes('.') ? identifier : `${new URL(base).host}/${identifier}`
  const tagged = /@sha256:|:[^/]+$/.test(named)
  return tagged || version === undefined ? named : `${named}:${version}`
}

function noRunner({ registryType, identifier, version }: RegistryPackage): CannotRun {
  switch (registryType) {
    case 'cargo':
      return cannot(
        t`It is a Rust program, which is installed once rather than fetched at each start.`,
        t`Install it with “cargo install ${identifier}${version === undefined ? '' : `@${version}`}”, then add its command by hand.`,
      )
    case 'go':
      return cannot(
        t`It is a Go program, which is installed once rather than fetched at each start.`,
        t`Install it with “go install ${identifier}@${version ?? 'latest'}”, then add its command by hand.`,
      )
    default:
      return cannot(
        t`Its package is of the kind “${registryType}”, which Assent cannot start.`,
        t`Its repository may say how it is started.`,
      )
  }
}
