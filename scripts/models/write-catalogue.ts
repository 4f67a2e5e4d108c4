// `npm run catalogue -- SOURCE`: writes resources/models/catalogue.json from the open data of models.dev. SOURCE is a clone of its
// repository, with a work tree or bare, an api.json, or the address of one (https://models.dev/api.json).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { parse } from 'smol-toml'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { fromModelsDev } from '#main/models/catalogue/models-dev.ts'

interface Snapshot {
  readonly data: unknown
  readonly date: string
  readonly commit?: string
}

const target = resolve(import.meta.dirname, '../../resources/models')

/** Reads a TOML file for each name without its ending, with `/` on every system. A link to a file that is gone is left out. */
function readToml(folder: string): [name: string, value: JsonObject][] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.toml') && existsSync(join(folder, path)))
    .map((path) => [path.split(sep).join('/').slice(0, -'.toml'.length), parse(readFileSync(join(folder, path), 'utf8')) as JsonObject])
}

/** Merges objects; lists and plain values of `over` replace those of `base`. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const parts = Object.entries(over).map(([key, value]) => {
    const before = base[key]
    return [key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(parts) }
}

/** Removes a member by its path with dots. */
function without(value: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const { [name]: inner, ...others } = value
  return rest.length > 0 && isJsonObject(inner) ? { ...others, [name]: without(inner, rest) } : others
}

/** Builds api.json of a checkout: each vendor's model extends the model that its `base_model` names. */
function fromFolder(folder: string): unknown {
  const bases = new Map(readToml(join(folder, 'models')))
  const resolved = (model: JsonObject): JsonObject => {
    const { base_model: name, base_model_omit: omit, ...own } = model
    if (name === undefined) return own
    const base = bases.get(String(name))
    if (!base) throw new Error(`There is no model ${String(name)} in ${join(folder, 'models')}.`)
    const paths = Array.isArray(omit) ? omit.map((path) => String(path).split('.')) : []
    return paths.reduce(without, merged(base, own))
  }
  const vendors = readdirSync(join(folder, 'providers'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return Object.fromEntries(
    vendors.map(({ name }) => {
      const models = readToml(join(folder, 'providers', name, 'models')).map(([id, model]) => [id, resolved(model)])
      return [name, { models: Object.fromEntries(models) }]
    }),
  )
}

function fromGit(gitDirectory: string): Snapshot {
  const git = (...args: string[]) => execFileSync('git', [`--git-dir=${gitDirectory}`, ...args], { maxBuffer: 1e9 })
  const [commit = '', date = ''] = git('log', '-1', '--format=%H %cs', 'HEAD').toString().trim().split(' ')
  const folder = mkdtempSync(join(tmpdir(), 'models-dev-'))
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', 'HEAD', 'providers', 'models') })
    return { data: fromFolder(folder), commit, date }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function read(source: string): Promise<Snapshot> {
  const today = new Date().toISOString().slice(0, 10)
  if (source.startsWith('https://')) {
    const response = await fetch(source)
    if (!response.ok) throw new Error(`${source} answers ${response.status}.`)
    return { data: await response.json(), date: today }
  }
  if (statSync(source).isFile())
    return { data: JSON.parse(readFileSync(source, 'utf8')), date: statSync(source).mtime.toISOString().slice(0, 10) }
  const inside = join(source, '.git')
  return fromGit(existsSync(inside) ? inside : source)
}

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Name a source: a clone of models.dev, an api.json, or its https address.')
const { data, date, commit } = await read(source)
const vendors = fromModelsDev(data)
const count = Object.values(vendors).reduce((sum, models) => sum + Object.keys(models).length, 0)
if (count === 0) throw new Error(`No model of ${source} could be read. Is it the data of models.dev?`)
const head = { source: 'https://github.com/anomalyco/models.dev', licence: 'MIT, Copyright (c) 2025 models.dev (LICENSE)', date, commit }
const lines = Object.entries(vendors).map(([vendor, models]) => {
  const rows = Object.entries(models).map(([id, entry]) => `${JSON.stringify(id)}:${JSON.stringify(entry)}`)
  return `${JSON.stringify(vendor)}:{\n${rows.join(',\n')}\n}`
})
const text = `${JSON.stringify(head).slice(0, -1)},"vendors":{\n${lines.join(',\n')}\n}}\n`
writeFileSync(join(target, 'catalogue.json'), text)
console.log(
  `${count} models of ${lines.length} vendors, ${text.length} bytes in ${relative(process.cwd(), join(target, 'catalogue.json'))}`,
)
