// What the page may do with prompts, assistants and facts, over a real store; and how the command line names an assistant.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mostSaved } from '#app/chat/personal.ts'
import { requireAssistant } from '#main/shell/cli/find-by-name.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { personalHandlers } from './personal-requests.ts'
import type { HostContext } from './request-handlers.ts'

let profile: TestProfile
let told = 0
beforeEach(() => {
  profile = makeProfile()
  told = 0
})
afterEach(() => profile.dispose())

const handlers = () => {
  const emit = (): void => {
    told += 1
  }
  return personalHandlers({ store: profile.store(), emit, models: {}, clock: profile.clock } as unknown as HostContext)
}
const codeOf = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

it('an edited fact, and one that was deleted and brought back, keeps what its chat had read', () => {
  const sources = [{ from: { kind: 'server' as const, server: 'files' }, untrusted: true as const }]
  const { personal } = profile.store()
  personal.put('fact', { id: 'f', text: 'Old.', at: 1, conversationId: 'c', sources })
  const requests = handlers()
  requests['personal.saveFact']({ id: 'f', text: 'New.' })
  requests['personal.remove']({ kind: 'fact', id: 'f' })
  expect(personal.list('fact')).toEqual([])
  requests['personal.restore']({ kind: 'fact', id: 'f' })
  expect([personal.list('fact'), told]).toEqual([[{ id: 'f', text: 'New.', at: 1, conversationId: 'c', sources }], 3])
  // Once only, and not under another kind.
  expect(codeOf(() => requests['personal.restore']({ kind: 'fact', id: 'f' }))).toBe('contract.invalid')
})

it('there are only so many, and none is saved under an id that is gone', () => {
  const { personal } = profile.store()
  for (let index = 0; index < mostSaved.assistant; index += 1) personal.put('assistant', { id: `a${index}`, name: `A ${index}` })
  const requests = handlers()
  expect(codeOf(() => requests['personal.saveAssistant']({ draft: { name: 'One more' } }))).toBe('contract.invalid')
  expect(codeOf(() => requests['personal.savePrompt']({ id: 'gone', draft: { name: 'x', text: 'y' } }))).toBe('contract.invalid')
  requests['personal.saveAssistant']({ id: 'a0', draft: { name: 'Renamed', instructions: 'secret words', consentMode: 'ask-writes' } })
  const row = [...profile.store().audit.all()].at(-1)
  expect([personal.list('assistant')[0]?.name, row?.decision, JSON.stringify(row?.detail).includes('secret words')]).toEqual([
    'Renamed',
    'assistant',
    false,
  ])
})

it.each([
  ['Clerk', 'a1'],
  ['a2', 'a2'],
  ['Twin', 'contract.invalid'],
  ['Nobody', 'contract.invalid'],
])('the command line finds the assistant %j: %s', async (named, found) => {
  const assistants = [
    { id: 'a1', name: 'Clerk' },
    { id: 'a2', name: 'Twin' },
    { id: 'a3', name: 'Twin' },
  ]
  const host = { request: async () => ({ personal: { assistants } }) } as unknown as ReachedHost
  expect(await requireAssistant(host, named).catch(({ code }: { code: string }) => code)).toBe(found)
})
