// A server without measure costs itself, not the person, the disk or the pages.
import { afterEach, expect, it } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import {
  approve,
  closeServers,
  eventually,
  makeServers,
  noHandlers,
  raw,
  type TestServers,
} from '#main/servers/lifecycle/servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const signal = new AbortController().signal
async function started(): Promise<{
  servers: TestServers
  call: (tool: string) => Promise<string>
  heard: string[]
  progress: Progress[]
}> {
  const heard: string[] = []
  const progress: Progress[] = []
  const servers = makeServers(
    { a: raw('nags') },
    {
      handlers: {
        ...noHandlers,
        elicitation: async ({ message }) => {
          heard.push(message)
          return { action: 'decline' }
        },
      },
    },
  )
  await servers.start('a')
  const call = async (tool: string): Promise<string> => {
    const { result } = await servers.call(approve(servers, 'a', tool), { signal, onProgress: (word) => progress.push(word) })
    return (result as unknown as { content: { text: string }[] }).content[0]?.text ?? ''
  }
  return { servers, call, heard, progress }
}

it('asks sixty times a minute at most, also when each question is answered at once', async () => {
  const { call, heard } = await started()
  expect([await call('nag'), heard.length]).toEqual(['60', 60])
})

it('is not heard when its question is too long to read', async () => {
  const { call, heard } = await started()
  expect([await call('long'), heard]).toEqual(['0', []])
})

it('tells of itself, of a refusal and of progress no more than fits a page', async () => {
  const { servers, call, progress } = await started()
  expect(JSON.stringify(servers.view('a')).length).toBeLessThan(50_000)
  const refusal = await call('refuse').catch((error: Error) => error.message)
  expect(refusal.length).toBeLessThan(5000)
  await call('progress')
  await eventually(() => expect(progress.map(({ message }) => (message?.length ?? 0) < 1000)).toEqual([true]))
})

it('is fetched ever more rarely while it tells of a change after each fetch', async () => {
  const { call } = await started()
  let fetched = ''
  for (let i = 0; i < 300; i += 1) fetched = await call('fetched')
  expect(Number(fetched)).toBeLessThan(10)
})
