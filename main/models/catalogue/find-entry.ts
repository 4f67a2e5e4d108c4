// Finds a model of the catalogue by its endpoint and its name there. Pure. A wrong match is worse than none: a name is loosened only in
// ways that leave the model the same, and where the price may then differ, or the endpoint is not known, no price is taken.
import type { CatalogueEntry, CatalogueVendors } from './models-dev.ts'

/** Vendors by host name and the beginning of the path, the first that fits. */
const vendors: readonly (readonly [host: RegExp, vendor: string, path?: string])[] = [
  [/^api\.anthropic\.com$/, 'anthropic'],
  [/^(?:[a-z]{2}\.)?api\.openai\.com$/, 'openai'],
  [/^generativelanguage\.googleapis\.com$/, 'google'],
  [/^openrouter\.ai$/, 'openrouter'],
  [/^api\.deepseek\.com$/, 'deepseek'],
  [/^api\.mistral\.ai$/, 'mistral'],
  [/^(?:[a-z]+-[a-z]+-\d\.)?api\.x\.ai$/, 'xai'],
  [/^api\.groq\.com$/, 'groq'],
  [/^api\.together\.(?:xyz|ai)$/, 'togetherai'],
  [/^api\.fireworks\.ai$/, 'fireworks-ai'],
  [/^api\.cerebras\.ai$/, 'cerebras'],
  [/^api\.perplexity\.ai$/, 'perplexity'],
  [/^api\.moonshot\.ai$/, 'moonshotai'],
  [/^api\.moonshot\.cn$/, 'moonshotai-cn'],
  [/^api\.kimi\.com$/, 'kimi-for-coding', '/coding'],
  [/^api\.z\.ai$/, 'zai-coding-plan', '/api/coding'],
  [/^api\.z\.ai$/, 'zai'],
  [/^open\.bigmodel\.cn$/, 'zhipuai', '/api/paas'],
  [/^dashscope-intl\.aliyuncs\.com$/, 'alibaba'],
  [/^dashscope\.aliyuncs\.com$/, 'alibaba-cn'],
  [/^api\.minimax\.io$/, 'minimax'],
  [/^api\.minimaxi\.com$/, 'minimax-cn'],
  [/^integrate\.api\.nvidia\.com$/, 'nvidia'],
  [/^router\.huggingface\.co$/, 'huggingface'],
  [/\.(?:openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/, 'azure'],
  [/^bedrock-(?:runtime|mantle)(?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.com|api\.aws)$/, 'amazon-bedrock'],
  [/^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$/, 'google-vertex'],
  [/^ai-gateway\.vercel\.sh$/, 'vercel'],
  [/^api\.cohere\.(?:com|ai)$/, 'cohere'],
  [/^api\.deepinfra\.com$/, 'deepinfra'],
  [/^models\.github\.ai$/, 'github-models'],
  [/^ollama\.com$/, 'ollama-cloud'],
]

/** Makers by the prefix that gateways put before a model's name. */
const makers: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  gemini: 'google',
  deepseek: 'deepseek',
  'deepseek-ai': 'deepseek',
  mistral: 'mistral',
  mistralai: 'mistral',
  'x-ai': 'xai',
  xai: 'xai',
  moonshotai: 'moonshotai',
  'z-ai': 'zai',
  'zai-org': 'zai',
  zai: 'zai',
  qwen: 'alibaba',
  minimax: 'minimax',
  minimaxai: 'minimax',
  cohere: 'cohere',
  perplexity: 'perplexity',
}

const isHere = (host: string): boolean =>
  /^(?:localhost|.*\.localhost|\[.*\]|[\d.]+|[^.]+|.*\.(?:local|lan|internal|home\.arpa))$/.test(host)

/** Vendor of an address or a vendor's id; `elsewhere`: another host on the net; undefined: a computer of the person or their network. */
export function vendorOf(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return vendors.some(([, vendor]) => vendor === endpoint) ? endpoint : undefined
  const { hostname, pathname } = new URL(endpoint)
  const known = vendors.find(([host, , path = '/']) => host.test(hostname) && pathname.startsWith(path))
  return known?.[1] ?? (isHere(hostname) ? undefined : 'elsewhere')
}

const plain = (name: string): string => name.toLowerCase().replace(/[._]/g, '-')

function entryNamed(models: CatalogueVendors[string] | undefined, name: string): CatalogueEntry | undefined {
  if (!models) return undefined
  if (Object.hasOwn(models, name)) return models[name]
  const alike = Object.keys(models).filter((id) => plain(id) === plain(name))
  return alike.length === 1 ? models[alike[0] ?? ''] : undefined
}

/** Name without the ways of writing that leave the model and its price the same: Gemini's folder, Amazon's address, a full date. */
function sameModel(vendor: string, name: string): string[] {
  const folder = vendor === 'google-vertex' ? /^(?:models|google|anthropic)\// : /^models\/|^arn:aws[^/]*\//
  const bare = name.replace(folder, '')
  const undated = bare.replace(/(?:-20\d{6}|-20\d\d-\d\d-\d\d|@20\d{6}|@default)$/, '')
  const bedrock = (one: string): string[] => (vendor === 'amazon-bedrock' ? [`${one}-v1:0`, `${one}-v1`, `${one}-1:0`] : [])
  const vertex = (one: string): string[] => (vendor === 'google-vertex' ? [`${one}@default`, one.replace(/-(20\d{6})$/, '@$1')] : [])
  return [name, bare, ...bedrock(bare), ...vertex(bare), ...(undated === bare ? [] : [undated, ...bedrock(undated), ...vertex(undated)])]
}

/** The newest dated model that a name with `-latest` stands for. */
function newest(models: CatalogueVendors[string] | undefined, name: string): CatalogueEntry | undefined {
  const stem = plain(/^(.+)-latest$/.exec(name)?.[1] ?? '')
  if (!models || stem === '') return undefined
  const dated = Object.keys(models).filter((id) => plain(id).startsWith(`${stem}-`) && /^-20\d{6}$/.test(plain(id).slice(stem.length)))
  return models[dated.toSorted((a, b) => a.localeCompare(b)).at(-1) ?? ''] ?? entryNamed(models, stem)
}

/** Ways of routing a model: another price, the same model. */
const routed = /:(?:free|nitro|floor|exacto|online|extended|thinking|fastest|cheapest|preferred)$/

/** Facts of the maker, for an endpoint without a list of its own here: no price, and no limits where anybody may serve the model. */
function fromMaker(all: CatalogueVendors, name: string): CatalogueEntry | undefined {
  const parts = name.replace(routed, '').split('/')
  const model = parts.at(-1) ?? ''
  const prefix = parts.at(-2)?.toLowerCase()
  if (prefix !== undefined && !Object.hasOwn(makers, prefix)) return undefined
  const asked = prefix === undefined ? [...new Set(Object.values(makers))] : [makers[prefix] ?? '']
  const found = asked.flatMap((vendor) => entryOf(all, vendor, model) ?? [])
  const [entry] = found
  if (!entry || found.length > 1) return undefined
  const { price: _price, above: _above, ...facts } = entry
  if (!facts.does?.split(' ').includes('open')) return facts
  const { context: _context, input: _input, output: _output, efforts: _efforts, ...served } = facts
  return served
}

function entryOf(all: CatalogueVendors, vendor: string, name: string): CatalogueEntry | undefined {
  for (const one of sameModel(vendor, name)) {
    const entry = entryNamed(all[vendor], one)
    if (entry) return entry
  }
  return newest(all[vendor], name)
}

/** Finds what is known of a model. `endpoint`: its address, or the id of a vendor. */
export function findEntry(all: CatalogueVendors, endpoint: string, name: string): CatalogueEntry | undefined {
  const vendor = vendorOf(endpoint)
  if (vendor === undefined) return undefined
  const exact = vendor === 'elsewhere' ? undefined : entryOf(all, vendor, name)
  if (exact) return exact
  const other = name.replace(vendor === 'amazon-bedrock' ? /^(?:us|eu|apac|au|jp|us-gov|global)\./ : routed, '')
  const alike = other === name || vendor === 'elsewhere' ? undefined : entryOf(all, vendor, other)
  if (!alike) return fromMaker(all, name)
  const { price: _price, above: _above, ...facts } = alike
  return facts
}
