// Risks in the command or address of a registry entry: what reaches further than its server needs. They are shown before it is added, and
// forbid nothing.
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '../definition.ts'

export interface Risk {
  /** Text of the command that it is about. */
  readonly text: string
  readonly why: string
}

const wholeComputer = () => t`gives the container all that is on this computer.`
/** Options of `docker run`, alone or with the value after them. */
const container = (): readonly (readonly [RegExp, string])[] => [
  [/^--privileged(?:=true)?$/, wholeComputer()],
  [/^--(?:pid|ipc|uts|userns|cgroupns)[= ]host$/, t`lets the container see and touch what else runs here.`],
  [/^--(?:net|network)[= ]host$/, t`lets the container reach everything that listens on this computer.`],
  [/^--cap-add\b/, t`gives the container rights over this computer that containers do not have.`],
  [/^--device\b/, t`gives the container a device of this computer.`],
  [/^--security-opt\b/, t`takes away a part of what keeps the container apart.`],
  [/^--(?:env-file|volumes-from)\b/, t`gives the container files or variables that are not named here.`],
  [/^--entrypoint\b/, t`runs another program than the image is made for.`],
]
const mounts = /^(?:-v|--volume|--mount)(?:[= ]|$)/

const npmRunner = (): readonly (readonly [RegExp, string])[] => [
  [/^(?:-c|--call)(?:[= ]|$)/, t`hands a line of text to a shell.`],
  [/^(?:-p|--package)(?:[= ]|$)/, t`fetches another package than the one that is listed.`],
  [/^(?:--registry|--userconfig|--script-shell|--node-options)(?:[= ]|$)/, t`changes where packages come from or what runs them.`],
]
const pythonRunner = (): readonly (readonly [RegExp, string])[] => [
  [/^(?:--from|--with|--with-editable|--with-requirements)(?:[= ]|$)/, t`fetches another package than the one that is listed.`],
  [/^(?:--index|--default-index|--index-url|--extra-index-url|-i|--find-links|-f)(?:[= ]|$)/, t`changes where packages come from.`],
]
/** Variables that change which code runs, or where it goes. */
const variables =
  /^(?:PATH|LD_[A-Z_]+|DYLD_[A-Z_]+|NODE_OPTIONS|NODE_PATH|PYTHON(?:PATH|STARTUP|HOME)|BASH_ENV|ENV|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|npm_config_.*|UV_(?:INDEX.*|DEFAULT_INDEX|EXTRA_INDEX.*|FIND_LINKS|PYTHON)|PIP_.*|DOCKER_HOST|HTTPS?_PROXY|ALL_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/i

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
    if (/^(?:\/|[A-Za-z]:[\\/]?|~\/?|\/(?:etc|root|home|Users|var|usr|proc|sys|dev|boot)\/?)$/.test(source))
      return [{ text: pair, why: t`gives the container “${source}” of this computer.` }]
    return []
  })
}

/** `runtime`: the arguments of the runner itself, not those of the package. */
export function risksOf(definition: ServerDefinition, runtime: readonly string[]): Risk[] {
  if (definition.transport === 'builtin') return []
  if (definition.transport !== 'stdio') return addressRisks(definition.url)
  const { command, env } = definition
  const isContainer = command === 'docker' || command === 'podman'
  const rules = isContainer ? container() : command === 'uvx' ? pythonRunner() : npmRunner()
  return [
    ...found(runtime, rules),
    ...(isContainer ? mountRisks(runtime) : []),
    ...Object.keys(env)
      .filter((name) => variables.test(name))
      .map((name) => ({ text: name, why: t`changes which code runs or where it connects to.` })),
  ]
}

const innerAddress =
  /^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa)|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(?:1[6-9]|2\d|3[01])\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|0\.0\.0\.0|\[(?:::1?|f[cd].*|fe80.*|::ffff:.*)\])$/i

function addressRisks(url: string): Risk[] {
  if (!URL.canParse(url)) return []
  const { protocol, hostname } = new URL(url)
  return [
    ...(innerAddress.test(hostname) ? [{ text: hostname, why: t`is on this computer or in your own network, not on the internet.` }] : []),
    ...(protocol === 'http:' ? [{ text: 'http://', why: t`is not encrypted: others on the way can read and change what is sent.` }] : []),
  ]
}
