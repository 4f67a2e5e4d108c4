import { expect, it } from 'vitest'
import { bundleManifest } from '#app/server/bundle/manifest.ts'
import { keptSecrets } from './bundle-changes.ts'
import { makeManifest } from './bundles.testing.ts'

const here = {
  system: 'linux',
  folders: { HOME: '/home/m', DESKTOP: '/home/m/Desktop', DOCUMENTS: '/home/m/Documents', DOWNLOADS: '/home/m/Downloads' },
  separator: '/',
} as const

it('keeps the secrets that the new version still calls secrets, and no other', () => {
  const option = { type: 'string', title: 'Key', description: '' }
  const manifest = bundleManifest.parse(
    makeManifest({ user_config: { key: { ...option, sensitive: true }, open: option, added: { ...option, sensitive: true } } }),
  )
  expect(keptSecrets({ secrets: { key: 'demo.key', open: 'demo.open', gone: 'demo.gone' } }, manifest, here)).toEqual({ key: 'demo.key' })
})
