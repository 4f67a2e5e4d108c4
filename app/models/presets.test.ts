import { expect, test } from 'vitest'
import { endpointUrl } from './endpoint-url.ts'
import { endpointPresets, presetUrl, variableName } from './presets.ts'

const byId = (id: string) => endpointPresets.find((preset) => preset.id === id)

test('each has an id of its own, an address that stays as it is, and variables that can be set', () => {
  expect(new Set(endpointPresets.map(({ id }) => id)).size).toBe(endpointPresets.length)
  for (const preset of endpointPresets) {
    const url = presetUrl(preset, { resource: 'mine' })
    expect([preset.id, url && endpointUrl(url, preset.format)]).toEqual([preset.id, url])
    for (const name of preset.variables) expect(name).toMatch(variableName)
    expect([preset.id, new URL(url ?? '').protocol]).toEqual([preset.id, preset.local ? 'http:' : 'https:'])
  }
})

test('what a vendor needs is filled in, and can only be a part of the host name', () => {
  const [azure, qwen] = [byId('azure'), byId('qwen')]
  if (!azure || !qwen) throw new Error('no preset')
  expect(presetUrl(azure, { resource: ' my-lab ' })).toBe('https://my-lab.openai.azure.com/openai/v1')
  expect(presetUrl(qwen, {})).toBe('https://dashscope-intl.aliyuncs.com/compatible-mode/v1')
  expect(['', 'evil.example/', 'a@b', '-a', 'a.b'].map((resource) => presetUrl(azure, { resource }))).toEqual(Array(5).fill(undefined))
})
