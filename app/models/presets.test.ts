import { expect, test } from 'vitest'
import { endpointUrl } from './endpoint-url.ts'
import { endpointPresets, presetUrl, variableName, wrongField } from './presets.ts'

const byId = (id: string) => endpointPresets.find((preset) => preset.id === id)

test('each has an id of its own, an address that stays as it is, and variables that can be set', () => {
  expect(new Set(endpointPresets.map(({ id }) => id)).size).toBe(endpointPresets.length)
  for (const preset of endpointPresets) {
    const url = presetUrl(preset, { resource: 'mine', project: 'my-lab-1' })
    expect([preset.id, url && endpointUrl(url, preset.format)]).toEqual([preset.id, url])
    for (const name of preset.variables) expect(name).toMatch(variableName)
    expect([preset.id, new URL(url ?? '').protocol]).toEqual([preset.id, preset.local ? 'http:' : 'https:'])
  }
})

test('every vendor that people ask for is there', () => {
  const ids =
    'anthropic openai google openrouter deepseek mistral xai groq together fireworks cerebras perplexity moonshot zai qwen minimax nvidia'
  const others = 'huggingface azure bedrock vertex vertex-express ollama lm-studio llama-cpp vllm jan docker'
  expect(endpointPresets.map(({ id }) => id).toSorted()).toEqual(`${ids} ${others}`.split(' ').toSorted())
})

test('what a vendor needs is filled in, and can only be a part of the host name', () => {
  const [azure, qwen, bedrock, vertex] = ['azure', 'qwen', 'bedrock', 'vertex'].map(byId)
  if (!azure || !qwen || !bedrock || !vertex) throw new Error('no preset')
  expect(presetUrl(azure, { resource: ' my-lab ' })).toBe('https://my-lab.openai.azure.com/openai/v1')
  expect(presetUrl(qwen, {})).toBe('https://dashscope-intl.aliyuncs.com/compatible-mode/v1')
  expect(presetUrl(bedrock, { region: 'eu-west-1' })).toBe('https://bedrock-runtime.eu-west-1.amazonaws.com')
  const at = (region?: string) => presetUrl(vertex, { project: 'lab-1', ...(region ? { region } : {}) })
  expect(at()).toBe('https://aiplatform.googleapis.com/v1beta1/projects/lab-1/locations/global')
  expect(at('us-east5')).toBe('https://us-east5-aiplatform.googleapis.com/v1beta1/projects/lab-1/locations/us-east5')
  expect([presetUrl(vertex, {}), wrongField(vertex, {})]).toEqual([undefined, { id: 'project', value: '' }])
  expect(wrongField(bedrock, { region: 'us_east' })).toEqual({ id: 'region', value: 'us_east' })
  expect(['', 'evil.example/', 'a@b', '-a', 'a.b'].map((resource) => presetUrl(azure, { resource }))).toEqual(Array(5).fill(undefined))
})
