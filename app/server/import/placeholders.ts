// Placeholders in text of others: what a README shows in place of a key, a path or a host. Each becomes an input, whose value is asked for
// before the first start. The program and the host of an address take no input, since they are what a person approves: see `unfilledIn`.
import { orElse } from '#app/or-else.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import type { ServerDefinition } from '../definition.ts'
import { inputReference } from '../inputs/variable-references.ts'

const angle = '<<?[^<>\\n]{1,80}>>?'
const doubled = '\\{\\{[^{}\\n]{1,80}\\}\\}'

/** Whole values that stand for a key. */
const wholeValue = new RegExp(
  `^(?:${[
    `${angle}|${doubled}|\\[[^[\\]\\n]{1,140}\\]|\\{[\\w ./-]{1,60}\\}|\\([\\w ./-]{1,60}\\)`,
    '(?:[a-z]{2,12}[-_.])?your[-_. ].{1,80}',
    '(?:[您你]的|あなたの|請輸入|请输入|填写|填入|可选|ваш|твой).{1,80}|[^<>]*\\p{Script=Han}{4}[^<>]*',
    '(?:tu|su|votre|ton|seu|sua|dein|ihr)[-_](?:api|token|clave|clé|cle|chave|key|schluessel).{0,40}',
    '.{0,40}[-_ ]?your[-_ ](?:api|token|key|secret|access|bot|personal).{0,40}',
    '(?:my|the|an?|some)[-_ ](?:\\w{1,12}[-_ ]){0,3}(?:key|token|secret|password)|[a-z]+[-_]user[-_]token',
    'x{3,}|y{3,}|z{3,}|\\*{3,}|(?:[a-z]{1,10}[-_])?x{4,}(?:-x{4,})+|\\.{3}|…|change[-_ ]?me|default \\S+|replace[-_ ]?(?:me|with.{0,40})|(?:insert|enter|put|paste|add)[-_ ].{1,60}|todo|.{1,40}[-_ ]here',
    '(?:[a-z]{1,10}[-_]){1,3}[x*.…]{3,}|(?:sk|ghp|gho|hf|fc|xox[a-z]|pat|lin_api|secret|ntn|key|tok)[-_][-_.…a-z]{0,16}(?:\\.\\.|…).{0,10}|[\\w-]{1,40}(?:\\.{3}|…)',
    '[a-z][a-z0-9+.-]{2,20}:\\/\\/(?:(?:(?:your[-_]?)?user(?:name)?|<user>|admin):(?:your[-_]?)?(?:pass(?:word)?|pwd|secret)@\\S+|\\.{3}|…)',
  ].join('|')})$`,
  'iu',
)
/** `TOKEN`, `YOUR_KEY`, `PROJECT_NAME`: a name where its value belongs. */
const bareName =
  /^(?:[A-Z][A-Z0-9]*_)*(?:TOKEN|KEY|SECRET|PASSWORD|PAT|ID|PATH|DIR|DIRECTORY|FOLDER|WORKSPACE)$|^(?:[A-Z][A-Z0-9]*_)+(?:NAME|REGION|USERNAME|URL|HOST|EMAIL|DOMAIN)$|^(?:[A-Z]+_)*YOUR_[A-Z_]+$|^Your(?:[A-Z][a-z]+)+$/
const scheme = /^(Bearer|Basic|Token|ApiKey|Api-Key) +/i

/** A path of somebody else: `/path/to/x`, `/home/username/x`, `/Users/NAME/x`. */
const examplePaths = [
  /(?:^|[\\/])(?:(?:[a-z]+_)?path[-_\\/ ]to|path_to\w*|(?:ruta[\\/]al?|pfad[\\/]zu[mr]?|chemin[\\/]vers|caminho[\\/]para|percorso[\\/]a|путь[\\/]к|路[径徑]|경로|パス)|your[-_]?path|(?:absolute|full|your|secure|some|local)[\\/](?:path|desired)|your[-_][\w-]+|your[-_]?(?:user)?name)(?=[-_\\/ .]|$)/i,
  /^(?:[A-Za-z]:)?[\\/]+(?:home|Users)[\\/]+(?:[Yy](?:our|OUR)[-_ ]?\w*|[Uu]ser[-_]?[Nn]ame|USER(?:_?NAME)?|NAME|YOU|you)(?=[\\/]|$)/,
]
const isExamplePath = (text: string): boolean => examplePaths.some((sign) => sign.test(text))
const pathWord = /(?:\b[A-Za-z]:(?=[\\/]))?[^\s"'`=:,;]+/g
/** Placeholders within a value. */
const inner = new RegExp(
  `(?<!\\$)${doubled}|(?<!\\$)\\{(?:your[-_ ][\\w -]{1,40}|(?-i:[A-Z]+(?:_[A-Z]+)+))\\}|${angle}|(?<=")(?:x{3,}|y{3,}|z{3,})(?=")|(?<==)\\[[^[\\]\\n]{0,120} [^[\\]\\n]{0,120}\\]|\\b(?:ntn|sk|ghp|xox[a-z])[-_](?:\\*{3,}|\\.{3,}|…|x{4,})|\\byour[._-]\\w+@[\\w.-]+`,
  'gi',
)
/** `ntn_API_KEY`: the beginning of a key with a name in place of the rest. */
const namedRest = /\b(?:ntn|sk|ghp|gho|github_pat|hf|pat|tok|xox[a-z]|fc|lin_api)[-_](?:[A-Z]+_)*(?:KEY|TOKEN|SECRET|PAT)\b/g
const exampleHost =
  /(?<=^|[._-])(?:your(?=[-_.]|$)|your(?:company|domain|org|organization|instance|server|host|site|app|tenant|workspace)\b)|<[^<>]*>|\{[\w -]+\}|\([\w -]+\)|\[[\w -]*[g-z_-][\w -]*\]/i
/** `HOST`, `YOUR_ORIGIN:8080`: one word in capitals. */
const capitalHost = /^(?!LOCALHOST)[A-Z][A-Z_-]{3,}(?::\w+)?$/
const isExampleHost = (host: string): boolean => exampleHost.test(host) || capitalHost.test(host)
const addressHost = /(?<=https?:\/\/)[^/?#\s"'@]+/gi
const pathBraces = /(?<!\$)\{[A-Za-z][\w -]{0,40}\}/g

const idOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'value'

/** Values of a secret that nobody's is: `sk-1234567890`, `PLACEHOLDER_VALUE`, `my_secret_value`. */
const madeUp =
  /^(?=.{0,40}$)(?:[\w.-]*[-_.])?(?:placeholder|example|dummy|sample|fake|secret[-_](?:value|here)|1234567890)(?:[-_.][\w.-]*)?$/i

/** A secret that is written in words: `dein_ojp_key_hier`, `TOKEN_VALUE`. */
const ofWords = /^[a-z]{2,}(?:[-_][a-z]{2,})*[-_](?:value|hier|here|ici|aqu[ií]|qui)$/i
const label = (name: string): string => (name.toLowerCase() === 'authorization' ? 'token' : name)

const isPlaceholder = (name: string, text: string): boolean =>
  wholeValue.test(text) ||
  (name !== '' && ((text === name && /^[A-Z_]{4,}$/.test(name)) || bareName.test(text))) ||
  (/user|pass/i.test(name) && /^(?:user(?:name)?|pass(?:word)?)$/i.test(text)) ||
  /^(?:(?:access|api|auth|bearer|secret)[-_ ](?:key|token)|top[-_ ]secret)$/.test(text) ||
  (looksSecret(label(name)) && (madeUp.test(text) || ofWords.test(text) || /\p{Script=Han}/u.test(text))) ||
  (text === '' && /(?:key|token|_id|_url)$/i.test(name) && !/pass/i.test(name))

/** Ids that the placeholders of one server got: the same text is the same value. */
export type AskedIds = Map<string, string>

function reference(wanted: string, text: string, ids: AskedIds): string {
  const known = ids.get(text)
  const used = new Set(ids.values())
  let id = idOf(wanted)
  for (let count = 2; known === undefined && used.has(id); count++) id = `${idOf(wanted)}-${count}`
  ids.set(text, known ?? id)
  return inputReference(known ?? id)
}

/** Replaces what a value shows in place of the person's own. `name`: of the variable, header or option; '' for an argument alone. */
export function withInputs(name: string, text: string, ids: AskedIds): string {
  const before = scheme.exec(text)?.[0] ?? ''
  const bare = text.slice(before.length)
  const own = label(name)
  if (isPlaceholder(name, bare)) return before + reference(own || bare, own + bare, ids)
  if (isExamplePath(text) && /^(?:[A-Za-z]:)?[^\s"'`=:,;]*(?: [^"'`=:,;]*)?$/.test(text) && !text.includes('<'))
    return reference(own || 'path', own + text, ids)
  const piece = (found: string): string => reference(own || found, found, ids)
  const filled = text.replace(inner, piece).replace(namedRest, piece)
  if (filled.includes('://'))
    return filled
      .replace(addressHost, (host) => host.replace(/^(?:.*)$/, (whole) => (isExampleHost(whole) ? piece(whole) : whole)))
      .replace(pathBraces, piece)
  return filled.replace(pathWord, (word) => (isExamplePath(word) && !word.startsWith('//') ? reference(own || 'path', word, ids) : word))
}

/** Words in place of a whole address: `<YOUR_URL>`, `{{MCP_URL}}`, `YOUR_SERVER_URL`, `$MCP_URL`, `https://...`. */
const wholeAddress =
  /^(?:<[^<>]+>|\{\{[^{}]+\}\}|\[[^[\]]+\]|\$\{?(?:\w+:)?[A-Za-z_]\w*\}?|(?:[A-Z][A-Z0-9]*_)*(?:URL|ADDRESS|ENDPOINT)|(?:YOUR|your)[-_ ][\w -]+|https?:\/\/(?:\.{2,}|…)\/?)$/
export const isWholeAddress = (word: string): boolean => wholeAddress.test(word)

/** Makes a host of what only stands for one: `https://<your-host>/mcp` becomes `https://your-host/mcp`, which `unfilledIn` finds. */
export function withExampleHost(url: string): string {
  const words = url.replace(/^https?:\/\/|\$\{?(?:\w+:)?/g, '').replace(/[^\w -]/g, '') || 'host'
  const named = (isWholeAddress(url) ? `https://<${words}>` : url).replace(
    /^(https?:\/\/[^/?#]*?):(?:<[^<>]*>|\{[\w -]+\}|port)(?=[/?#]|$)/i,
    '$1',
  )
  return named.replace(/^(https?:\/\/)([^/?#]*(?:<[^<>]*>|\{[\w -]+\})[^/?#]*)/i, (_whole, start: string, host: string) => {
    const words = host.replace(/[<>{}]/g, '').replace(/[^\w.:-]+|_/g, '-')
    return `${start}${/^your-/i.test(words) ? words : `your-${words}`}`
  })
}

/** Replaces placeholders in the path and the query of an address. */
export const withAskedPath = (url: string, ids: AskedIds): string =>
  url
    .replace(/([?&])([\w.-]+)=([^&#]+)/g, (_whole, sign: string, name: string, value: string) => {
      const own = decodeReferences(value)
      return `${sign}${name}=${isPlaceholder(name, own) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(own) ? reference(name, name + own, ids) : value}`
    })
    .replace(/^(https?:\/\/[^/?#]*)([^?#]*)/i, (_whole, origin: string, path: string) => {
      const plain = decodeReferences(path)
      const filled = plain.replace(
        new RegExp(
          `${angle}|${pathBraces.source}|\\bYOUR[-_][A-Z_-]+|(?<=\\/)(?:[a-z]{1,4}-)?x{6,}(?=\\/|$)|(?<=\\/)x{4,}(?:-x{4,})+`,
          'g',
        ),
        (word) => reference(word, word, ids),
      )
      return origin + (filled === plain ? path : filled)
    })

/** Decodes percent-encoding; a text without, or a broken one, is read as it is. */
export const decodeReferences = (text: string): string => orElse(() => decodeURIComponent(text), text)

/** Returns the program or the host that only shows what belongs there: nothing can start before a person writes it. */
export function unfilledIn(definition: ServerDefinition): string | undefined {
  if (definition.transport === 'builtin') return undefined
  if (definition.transport === 'stdio') {
    const { command } = definition
    return isExamplePath(command) ||
      /^(?:\.{3}|…)|<[^<>]+>|\$\{(?!userHome|workspaceFolder|pathSeparator|\/)/.test(command) ||
      wholeValue.test(command)
      ? command
      : undefined
  }
  const [host = ''] = /(?<=^https?:\/\/)[^/?#]*/i.exec(definition.url) ?? []
  return isExampleHost(host) ? host : undefined
}
