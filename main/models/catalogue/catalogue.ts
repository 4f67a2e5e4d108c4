// The catalogue in the package, which fills what the list of an endpoint does not say. The endpoint's word wins, and the person's price
// over both. It is read when a list arrives, and not kept in memory.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Effort, ModelInfo } from '#app/models/models.ts'
import type { Price } from '#app/models/usage.ts'
import { defined } from '#app/or-else.ts'
import type { ModelProvider } from '../provider.ts'
import { findEntry, vendorOf } from './find-entry.ts'
import type { CatalogueEntry, CatalogueVendors } from './models-dev.ts'

/** Path in the sources, the build and the app's archive. */
const path = ((): string => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'resources', 'models', 'catalogue.json')
    if (existsSync(file) || dirname(folder) === folder) return file
  }
})()

/** @throws Error when the file is missing or broken: the package is not whole */
export async function readCatalogue(): Promise<CatalogueVendors> {
  const { vendors } = JSON.parse(await readFile(path, 'utf8')) as { readonly vendors: CatalogueVendors }
  return vendors
}

/** Adds to models what the catalogue knows of them at an endpoint. `endpoint`: its address, or the id of a vendor. */
export async function fillModels(models: readonly ModelInfo[], endpoint: string): Promise<ModelInfo[]> {
  if (models.length === 0 || vendorOf(endpoint) === undefined) return [...models]
  // A list is worth more than what the catalogue adds to it.
  const all = await readCatalogue().catch((): CatalogueVendors => ({}))
  return models.map((model) => {
    const entry = findEntry(all, endpoint, model.id.slice(model.provider.length + 1))
    return entry ? filled(model, entry) : model
  })
}

export const withCatalogue = (provider: ModelProvider, endpoint: string): ModelProvider => ({
  ...provider,
  listModels: async (signal) => fillModels(await provider.listModels(signal), endpoint),
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
