// Calls of one answer are asked in its order, however long the paths of each take to look up.
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeProfile } from '#main/store/store.testing.ts'
import { makeToolEntry } from './broker.testing.ts'
import { createBroker } from './broker.ts'

it('asks for the calls of one conversation in their order', async () => {
  const profile = makeProfile()
  const { signal } = new AbortController()
  const dataDir = dirname(profile.path)
  const store = profile.store()
  const folder = join(dataDir, 'deep')
  mkdirSync(folder)
  for (let at = 0; at < 40; at += 1) symlinkSync(at === 0 ? folder : join(folder, `link${at - 1}`), join(folder, `link${at}`), 'junction')
  const broker = createBroker({
    rules: store.rules,
    sampling: store.sampling,
    audit: store.audit,
    emit: () => undefined,
    clock: profile.clock,
    dataDir,
  })
  const ask = (callId: string, conversationId: string, args: Readonly<Record<string, string>>): void =>
    void broker.toolCall({
      server: 'files',
      conversationId,
      callId,
      signal,
      tool: makeToolEntry(),
      trusted: false,
      local: true,
      arguments: args,
    })
  const slow = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`path${at}`, join(folder, `link${at % 40}`, String(at))]))
  ask('first', 'a', slow)
  ask('second', 'a', { word: 'x' })
  ask('third', 'a', {})
  await expect.poll(() => broker.open().length).toBe(3)
  expect(broker.open().map(({ callId }) => callId)).toEqual(['first', 'second', 'third'])
  broker.dispose()
  profile.dispose()
})
