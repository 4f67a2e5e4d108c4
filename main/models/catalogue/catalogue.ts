// The catalogue, which fills what the list of an endpoint does not say: the one in the package, or the one that the person fetched, where
// that is newer. The endpoint's word wins, and the person's over both. It is read when a list arrives, and not kept in memory.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Effort, ModelInfo } from '#app/models/models.ts'
import type { Price } from '#app/models/usage.ts'
import { defined, parseJson } from '#app/or-else.ts'
import type { ModelProvider } from '../provider.ts'
import { findEntry, vendorOf } from './find-entry.ts'
import { type CatalogueEntry, type CatalogueVendors, catalogueVendors } from './models-dev.ts'

/** Path in the sources, the build and the app's archive. */
const path = ((): string => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'resources', 'models', 'catalogue.json')
    if (existsSync(file) || dirname(folder) === folder) return file
  }
})()

interface DatedCatalogue {
  /** Day of the data, YYYY-MM-DD. */
  readonly date: string
  readonly vendors: CatalogueVendors
}

const fetched = z.object({ date: z.iso.date(), vendors: catalogueVendors })

/** Reads the newer catalogue. `kept`: path of the fetched one, which may be missing. @throws {Error} when the package is not whole */
export async function readCatalogue(kept?: string): Promise<DatedCatalogue> {
  const bundled = JSON.parse(await readFile(path, 'utf8')) as DatedCatalogue
  const text = kept === undefined ? '' : await readFile(kept, 'utf8').catch(() => '')
  const { data: own } = fetched.safeParse(parseJson(text))
  return own && own.date >= bundled.date ? own : bundled
}

/** Adds to models what the catalogue knows of them at an endpoint. `endpoint`: its address, or the id of a vendor. `kept`: see `readCatalogue`. */
export async function fillModels(models: readonly ModelInfo[], endpoint: string, kept?: string): Promise<ModelInfo[]> {
  if (models.length === 0 || vendorOf(endpoint) === undefined) return [...models]
  // A list is worth more than what the catalogue adds to it.
  const { vendors: all } = await readCatalogue(kept).catch(() => ({ vendors: {} }))
  return models.map((model) => {
    const entry = findEntry(all, endpoint, model.id.slice(model.provider.length + 1))
    return entry ? filled(model, entry) : model
  })
}

export const withCatalogue = (provider: ModelProvider, endpoint: string, kept?: string): ModelProvider => ({
  ...provider,
  listModels: async (signal) => fillModels(await provider.listModels(signal), endpoint, kept),
})

/** Returns the model with the facts of the catalogue behind its own. */
export function filled(model: ModelInfo, entry: CatalogueEntry): ModelInfo {
  if (entry.chat === false) return { chat: false, ...model }
  const does = new Set(entry.does?.split(' '))
  const { efforts, price, above } = entry
  return {
    ...defined({
      contextTokens: entry.context,
      // The longest request belongs to the catalogue's own figure of the context.
      maxInputTokens: model.contextTokens === undefined || model.contextTokens === entry.context ? entry.input : undefined,
      maxOutputTokens: entry.output,
      images: does.has('image'),
      documents: does.has('pdf') || undefined,
      tools: does.has('tools'),
      reasoning: does.has('reasoning'),
      structuredOutput: does.has('structured') || undefined,
      temperature: entry.fixed && false,
      // Anthropic's list says how a model thinks, and with that its efforts.
      efforts: model.provider === 'anthropic' || efforts === undefined ? undefined : (efforts.split(' ').filter(Boolean) as Effort[]),
      price: price && { ...ratesOf(price), ...defined({ above: above?.map(([tokens = 0, ...rates]) => ({ tokens, ...ratesOf(rates) })) }) },
      status: entry.status,
    }),
    ...model,
  }
}

const ratesOf = ([input = 0, output = 0, cacheRead, cacheWrite]: readonly number[]): Omit<Price, 'above'> => ({
  input,
  output,
  ...defined({ cacheRead, cacheWrite }),
})
