// What a chat holds and a terminal would obey. The sequences are those of vercel/ai#20052 and marmot-protocol/mdk#993: a text of a
// model or a tool that fills the clipboard (OSC 52), clears what was read (CSI), also as one C1 character, and asks the terminal to
// type an answer (DSR).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import type { HostContext } from '#main/requests/request-handlers.ts'
import { transferHandlers } from '#main/requests/transfer-requests.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'
import { openStore } from '#main/store/open-store.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { readCommandLine } from '../command-line.ts'
import { createCliOutput } from '../output.ts'
import { exportChats } from './export.ts'

const hostile =
  'hi \u001b]52;c;Y3VybA==\u0007 \u001b[2J\u001b[6n \u009b2J \u009d0;t\u009c \u007f\u0008 \u202egpj.exe new\rold \u0645\u06cc\u200c\u062e\u0648'
const obeyed = /[\p{Cc}--[\t\n]]/v

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
  const store = openStore({ dataDir: profile.dataDir, clock: profile.clock, log: silentLog })
  const activity = { kind: 'idle' } as const
  store.conversations.put({ id: 'c', title: `A title ${hostile}`, model: 'm', createdAt: 3, updatedAt: 9, activity })
  store.conversations.putMessage({ role: 'user', id: 'q', conversationId: 'c', turnId: 't', createdAt: 4, text: hostile })
  store.conversations.setLeaf('c', 'q')
  store.close()
})
afterEach(() => {
  vi.restoreAllMocks()
  return profile.dispose()
})

async function exported(terminal: boolean, ...words: string[]): Promise<string> {
  let text = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += String(piece)
    return true
  })
  const before = process.stdout.isTTY
  process.stdout.isTTY = terminal
  try {
    const line = readCommandLine(['export', '--all', '--data-dir', profile.dataDir, ...words])
    if (line.kind !== 'run') throw new Error('not a command')
    const store = openStore({ dataDir: profile.dataDir, clock: profile.clock, log: silentLog })
    const handlers = transferHandlers({
      store,
      clock: profile.clock,
      maskKnown: String,
      readSecrets: async () => {},
    } as unknown as HostContext) as Record<string, (params: unknown) => unknown>
    const host = { request: async (name: string, params: unknown) => handlers[name]?.(params) } as unknown as ReachedHost
    await exportChats({ host, options: line.options, output: createCliOutput(false) }, [])
    store.close()
  } finally {
    process.stdout.isTTY = before
  }
  return text
}

it('Markdown on a terminal names all that a person would not see', async () => {
  const text = await exported(true, '--format', 'md')
  expect([obeyed.test(text), /\p{Cf}/u.test(text), text.includes('⟨terminal code⟩'), text.includes('gpj.exe')]).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('Markdown for a file or a pipe names what a terminal obeys, and keeps the letters of every language', async () => {
  const out = join(profile.dataDir, 'chats.md')
  await exported(false, '--format', 'md', '--out', out)
  for (const text of [readFileSync(out, 'utf8'), await exported(false, '--format', 'md')])
    expect([obeyed.test(text), text.includes('⟨terminal code⟩'), text.includes('\u0645\u06cc\u200c\u062e\u0648')]).toEqual([
      false,
      true,
      true,
    ])
})

it.each([true, false])('JSON is the same value with nothing in it that a terminal obeys (terminal: %s)', async (terminal) => {
  const text = await exported(terminal)
  expect([obeyed.test(text), JSON.stringify(JSON.parse(text)).includes(JSON.stringify(hostile).slice(1, -1))]).toEqual([false, true])
})
