// Model lists of Gemini's API, Amazon Bedrock and Google Vertex. Where a key may not list, and at Vertex, which has no list, the bundled
// catalogue stands in.
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { filled, readCatalogue } from '../catalogue/catalogue.ts'

/** Gets JSON with the key. @throws HostError `model.*` */
export type ListRequest = (url: string) => Promise<JsonObject>

const list = (body: JsonObject, name: string): readonly JsonObject[] => (Array.isArray(body[name]) ? body[name].filter(isJsonObject) : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined)
const positive = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined)

/** Models of Gemini's API that make speech, images or vectors, or drive a machine. */
const otherWork = /tts|-image|native-audio|embedding|robotics|computer-use|-live/

/** https://ai.google.dev/api/models#method:-models.list */
export async function geminiModels(provider: string, baseUrl: string, get: ListRequest): Promise<ModelInfo[]> {
  const found = list(await get(`${baseUrl}/models?pageSize=1000`), 'models')
  const chats = found.filter(({ supportedGenerationMethods: methods }) => Array.isArray(methods) && methods.includes('generateContent'))
  return chats.flatMap((model) => {
    const name = text(model['name'])?.replace(/^models\//, '')
    if (name === undefined || otherWork.test(name)) return []
    const facts = { contextTokens: positive(model['inputTokenLimit']), maxOutputTokens: positive(model['outputTokenLimit']) }
    return [{ id: `${provider}/${name}`, provider, name: text(model['displayName']) ?? name, ...defined(facts), ai: true }]
  })
}

/**
 * Lists models that can be asked without provisioning, and the inference profiles of the region, which most newer models need
 * (docs.aws.amazon.com/bedrock/latest/APIReference: ListFoundationModels, ListInferenceProfiles).
 */
export async function bedrockModels(provider: string, baseUrl: string, get: ListRequest): Promise<ModelInfo[]> {
  const control = baseUrl.replace('//bedrock-runtime', '//bedrock')
  const [models, profiles] = await Promise.all([
    get(`${control}/foundation-models?byOutputModality=TEXT`),
    get(`${control}/inference-profiles?maxResults=1000&typeEquals=SYSTEM_DEFINED`).catch((): JsonObject => ({})),
  ])
  const info = (id: string, name: unknown, rest: Partial<ModelInfo> = {}): ModelInfo => ({
    id: `${provider}/${id}`,
    provider,
    name: text(name) ?? id,
    ...rest,
    ai: true,
  })
  const known = list(models, 'modelSummaries').filter((model) => model['responseStreamingSupported'] !== false)
  const direct = known.flatMap((model) => {
    const id = text(model['modelId'])
    const [types, inputs, lifecycle] = [model['inferenceTypesSupported'], model['inputModalities'], model['modelLifecycle']]
    if (id === undefined || !Array.isArray(types) || !types.includes('ON_DEMAND')) return []
    const isOld = isJsonObject(lifecycle) && lifecycle['status'] === 'LEGACY'
    return [
      info(id, model['modelName'], {
        ...(Array.isArray(inputs) ? { images: inputs.includes('IMAGE') } : {}),
        ...(isOld ? { status: 'deprecated' } : {}),
      }),
    ]
  })
  const texts = new Set(known.map((model) => text(model['modelId'])))
  const through = list(profiles, 'inferenceProfileSummaries').flatMap((profile) => {
    const id = text(profile['inferenceProfileId'])
    // `us.anthropic.claude-…` stands for `anthropic.claude-…`; profiles of models that make images are left out.
    return id !== undefined && texts.has(id.slice(id.indexOf('.') + 1)) ? [info(id, profile['inferenceProfileName'])] : []
  })
  return [...through, ...direct]
}

/** Lists what the catalogue has of a vendor. `fits`: whether a model can be asked here. */
export async function catalogueModels(
  provider: string,
  vendor: 'amazon-bedrock' | 'google-vertex',
  fits: (name: string) => boolean,
): Promise<ModelInfo[]> {
  const { [vendor]: entries = {} } = (await readCatalogue()).vendors
  return Object.entries(entries)
    .filter(([name, { chat }]) => chat !== false && fits(name))
    .map(([name, entry]) => filled({ id: `${provider}/${name}`, provider, name, ai: true }, entry))
}
