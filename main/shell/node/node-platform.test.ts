import { expect, it } from 'vitest'
import { createMemorySecrets } from '#main/base/secret-store.ts'
// biome-ignore lint/style/noRestrictedImports: the test stands in for the broker.
import { type ApprovedUrl, mint } from '#main/consent/approved.ts'
import { createNodePlatform } from './node-platform.ts'

it('an approval opens one page once, and a made-up one none', async () => {
  const opened: string[] = []
  const platform = createNodePlatform({
    kind: 'cli',
    secrets: createMemorySecrets(),
    profile: { dataDir: '/profile', isDefault: true },
    async openUrl({ url }) {
      opened.push(url)
      return 'page'
    },
  })
  const approval = mint<ApprovedUrl>({ url: 'https://example.com/' })
  await platform.openUrl(approval)
  await expect(platform.openUrl(approval)).rejects.toMatchObject({ code: 'internal' })
  await expect(platform.openUrl({ ...approval })).rejects.toMatchObject({ code: 'internal' })
  expect(opened).toEqual(['https://example.com/'])
})
