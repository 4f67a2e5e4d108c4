// Presets of endpoints: address, format and usual variable of each vendor. Addresses and variables are facts of models.dev (MIT,
// f3fc692, `providers/*/provider.toml`), of vercel/ai (`packages/*/src/*-provider.ts`) and pydantic-ai (`providers/*.py`), where no other
// source is named.

/**
 * `openai`: chat completions; `openai-responses`: OpenAI's Responses; `anthropic`: Anthropic's Messages; `gemini`: Gemini's own API;
 * `bedrock`: Amazon's Converse; `vertex`: Gemini and Claude at Google Cloud.
 */
export const endpointFormats = ['openai', 'openai-responses', 'anthropic', 'gemini', 'bedrock', 'vertex'] as const
export type EndpointFormat = (typeof endpointFormats)[number]

export interface EndpointPreset {
  readonly id: string
  readonly name: string
  /** Address, with `{field}` where the person has to fill something in. */
  readonly baseUrl: string
  readonly format: EndpointFormat
  /** Usual environment variables of the key, the most usual first. */
  readonly variables: readonly string[]
  readonly keyPage?: string
  /** Forms of a key that is more than one word. */
  readonly keyForms?: 'aws' | 'google-cloud'
  /** Values that the vendor needs beside the key; `usual` is filled in. */
  readonly fields?: readonly PresetField[]
  /** Whether it runs on the person's computer and usually needs no key. */
  readonly local?: true
}

export interface PresetField {
  readonly id: 'resource' | 'region' | 'project'
  readonly usual?: string
}

/** The settings have a row of their own for Anthropic's first key; its preset is for the command line, and for a second key. */
export const endpointPresets: readonly EndpointPreset[] = [
  {
    ...hosted('openai', 'OpenAI', 'https://api.openai.com/v1', ['OPENAI_API_KEY'], 'https://platform.openai.com/api-keys'),
    format: 'openai-responses',
  },
  // https://ai.google.dev/api: its own API (decision 0072).
  {
    ...hosted(
      'google',
      'Google Gemini',
      'https://generativelanguage.googleapis.com/v1beta',
      ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
      'https://aistudio.google.com/apikey',
    ),
    format: 'gemini',
  },
  hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', ['OPENROUTER_API_KEY'], 'https://openrouter.ai/settings/keys'),
  hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', ['DEEPSEEK_API_KEY'], 'https://platform.deepseek.com/api_keys'),
  hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', ['MISTRAL_API_KEY'], 'https://console.mistral.ai/api-keys'),
  hosted('xai', 'xAI', 'https://api.x.ai/v1', ['XAI_API_KEY'], 'https://console.x.ai'),
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', ['GROQ_API_KEY'], 'https://console.groq.com/keys'),
  hosted('together', 'Together AI', 'https://api.together.xyz/v1', ['TOGETHER_API_KEY'], 'https://api.together.ai/settings/api-keys'),
  hosted('fireworks', 'Fireworks AI', 'https://api.fireworks.ai/inference/v1', ['FIREWORKS_API_KEY'], 'https://app.fireworks.ai'),
  hosted('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1', ['CEREBRAS_API_KEY'], 'https://cloud.cerebras.ai'),
  // Perplexity lists its models at /v1/models and chats at /chat/completions (ruby_llm, spec/fixtures/vcr_cassettes): see `main/models/endpoints`.
  hosted('perplexity', 'Perplexity', 'https://api.perplexity.ai/v1', ['PERPLEXITY_API_KEY'], 'https://www.perplexity.ai/settings/api'),
  hosted('moonshot', 'Moonshot AI', 'https://api.moonshot.ai/v1', ['MOONSHOT_API_KEY'], 'https://platform.moonshot.ai/console/api-keys'),
  hosted('zai', 'Z.ai', 'https://api.z.ai/api/paas/v4', ['ZAI_API_KEY', 'ZHIPU_API_KEY'], 'https://z.ai/manage-apikey/apikey-list'),
  // The region is part of the address: `dashscope-intl`, `dashscope-us`, `dashscope` (Beijing); alibabacloud.com/help/model-studio/base-url.
  {
    ...hosted(
      'qwen',
      'Qwen (Alibaba Cloud)',
      'https://{region}.aliyuncs.com/compatible-mode/v1',
      ['DASHSCOPE_API_KEY'],
      'https://modelstudio.console.alibabacloud.com',
    ),
    fields: [{ id: 'region', usual: 'dashscope-intl' }],
  },
  // https://platform.minimax.io/docs/api-reference/models/openai/list-models.md
  hosted('minimax', 'MiniMax', 'https://api.minimax.io/v1', ['MINIMAX_API_KEY'], 'https://platform.minimax.io'),
  hosted('nvidia', 'NVIDIA', 'https://integrate.api.nvidia.com/v1', ['NVIDIA_API_KEY'], 'https://build.nvidia.com'),
  hosted('huggingface', 'Hugging Face', 'https://router.huggingface.co/v1', ['HF_TOKEN'], 'https://huggingface.co/settings/tokens'),
  // https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle: the v1 API needs no `api-version`.
  {
    ...hosted(
      'azure',
      'Azure OpenAI',
      'https://{resource}.openai.azure.com/openai/v1',
      ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
      'https://ai.azure.com',
    ),
    format: 'openai-responses',
    fields: [{ id: 'resource' }],
  },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
  {
    ...hosted(
      'bedrock',
      'Amazon Bedrock',
      'https://bedrock-runtime.{region}.amazonaws.com',
      ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'],
      'https://console.aws.amazon.com/bedrock',
    ),
    format: 'bedrock',
    keyForms: 'aws',
    fields: [{ id: 'region', usual: 'us-east-1' }],
  },
  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/start/api-keys; `{region-}`: the region and a hyphen, nothing for `global`.
  {
    ...hosted(
      'vertex',
      'Google Vertex',
      'https://{region-}aiplatform.googleapis.com/v1beta1/projects/{project}/locations/{region}',
      ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_VERTEX_API_KEY'],
      'https://console.cloud.google.com/iam-admin/serviceaccounts',
    ),
    format: 'vertex',
    keyForms: 'google-cloud',
    fields: [{ id: 'project' }, { id: 'region', usual: 'global' }],
  },
  {
    ...hosted(
      'vertex-express',
      'Google Vertex Express',
      'https://aiplatform.googleapis.com/v1',
      ['GOOGLE_VERTEX_API_KEY', 'GOOGLE_API_KEY'],
      'https://console.cloud.google.com/apis/credentials',
    ),
    format: 'vertex',
  },
  {
    ...hosted('anthropic', 'Anthropic', 'https://api.anthropic.com', ['ANTHROPIC_API_KEY'], 'https://console.anthropic.com/settings/keys'),
    format: 'anthropic',
  },
  // Usual ports: docs.ollama.com/openai, lmstudio.ai/docs, llama.cpp tools/server, docs.vllm.ai, jan.ai/docs/api-server.
  local('ollama', 'Ollama', 11434, ['OLLAMA_API_KEY']),
  local('lm-studio', 'LM Studio', 1234, ['LMSTUDIO_API_KEY']),
  local('llama-cpp', 'llama.cpp', 8080, ['LLAMA_API_KEY']),
  local('vllm', 'vLLM', 8000, ['VLLM_API_KEY']),
  local('jan', 'Jan', 1337, []),
  // docs.docker.com/ai/model-runner/api-reference
  { ...local('docker', 'Docker Model Runner', 12434, []), baseUrl: 'http://127.0.0.1:12434/engines/v1' },
]

function hosted(id: string, name: string, baseUrl: string, variables: readonly string[], keyPage: string): EndpointPreset {
  return { id, name, baseUrl, format: 'openai', variables, keyPage }
}

function local(id: string, name: string, port: number, variables: readonly string[]): EndpointPreset {
  return { id, name, baseUrl: `http://127.0.0.1:${port}/v1`, format: 'openai', variables, local: true }
}

/** Name of a resource, a region or a project, which becomes part of the address. */
const hostPart = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

type GivenFields = Readonly<Record<string, string>>

const fieldValue = ({ id, usual = '' }: NonNullable<EndpointPreset['fields']>[number], given: GivenFields) => (given[id] ?? usual).trim()

/** Returns the first field whose value is missing, or is no part of a host name. */
export function wrongField({ fields = [] }: EndpointPreset, given: GivenFields) {
  const field = fields.find((one) => !hostPart.test(fieldValue(one, given)))
  return field && { id: field.id, value: fieldValue(field, given) }
}

/** Returns the address with its fields filled in; `undefined`: one is wrong (`wrongField`). */
export function presetUrl(preset: EndpointPreset, given: GivenFields): string | undefined {
  if (wrongField(preset, given)) return undefined
  return (preset.fields ?? []).reduce((url, field) => {
    const value = fieldValue(field, given)
    return url.replace(`{${field.id}-}`, value === 'global' ? '' : `${value}-`).replace(`{${field.id}}`, value)
  }, preset.baseUrl)
}

export const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/
/** Name of a header (RFC 9110, 5.1), for extra headers of an endpoint. */
export const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
