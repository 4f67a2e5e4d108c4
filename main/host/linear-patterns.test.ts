// Texts of others that made a regular expression go back over them again and again: each took seconds at this length.
import { expect, test } from 'vitest'
import { writtenTitle } from '#app/chat/conversation-title.ts'
import { fromChatGpt } from '#app/chat/import/from-chatgpt.ts'
import { parseJsonTree } from '#app/server/config/json-tree.ts'
import { codeBlocks } from '#app/server/import/text-blocks.ts'
import { fetchUiResource } from '#main/chat/mcp-apps/ui-resource.ts'
import { hintsOf } from '#main/chat/tools/tool-choice.ts'
import { isError } from '#main/servers/doctor/exit-reason.ts'

const length = 200_000
const answer = (text: string) => ({
  mapping: {
    a: { id: 'a', message: { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } }, parent: null, children: [] },
  },
  current_node: 'a',
})
const resource = (blob: string) =>
  fetchUiResource(
    {
      catalogue: () => ({ resources: [] }),
      readResource: async () => ({ contents: [{ uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', blob }] }),
    } as never,
    { server: 's', uri: 'ui://a' } as never,
    AbortSignal.timeout(10_000),
  )

test.each<[title: string, read: () => unknown]>([
  ['bytes of a view that are no base64', () => resource(`A${'\n'.repeat(length)}!`).catch(() => undefined)],
  ['marks of citations that never end', () => fromChatGpt(answer(`\ue200${'\ue202'.repeat(length)}`))],
  ['a fence that never ends', () => codeBlocks(`\`\`\`${'a'.repeat(length)}`)],
  ['a fence of signs', () => codeBlocks('`'.repeat(length))],
  ['texts in a file that never end', () => parseJsonTree('"\\'.repeat(length / 2))],
  ['an address that is none', () => hintsOf('a@'.repeat(length / 2))],
  ['a path that is none', () => hintsOf('a-'.repeat(length / 2))],
  ['a title of dots', () => writtenTitle(`${'.'.repeat(length)}a`)],
  ['a line of a log in one word', () => isError('a'.repeat(length))],
])('%s', async (_title, read) => {
  const before = process.cpuUsage()
  await read()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(400)
})
