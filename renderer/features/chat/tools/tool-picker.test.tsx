import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { manyTools, summariesOf, toolAnswers } from '#renderer/testing/stories/tools.stories.ts'
import { useBeginningChat } from '../settings/new-chat-choices.ts'
import { ToolPick } from './tool-picker.tsx'

afterEach(cleanup)

async function open(servers: readonly string[], each: number, tools?: ToolSwitches, conversationId: string | undefined = 'c1') {
  const listed = manyTools(servers, each)
  const conversation = makeConversation(tools === undefined ? {} : { tools })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], servers: summariesOf(listed) },
    answers: toolAnswers(listed, 20_000),
  })
  await renderWith(conversationId === '' ? <BeginningPick /> : <ToolPick conversationId={conversationId} model="m" />, link)
  fireEvent.click(screen.getByRole('button', { name: /tools/ }))
  await act(settle)
  return { link, dialog: within(screen.getByRole('dialog')) }
}
const BeginningPick = () => <ToolPick conversationId={undefined} model="m" begins={useBeginningChat()} />
const drawn = (): number => document.querySelectorAll('[data-tool]').length

it('a few are shown with their servers open, and a switch counts for this chat', async () => {
  const { link, dialog } = await open(['files', 'mail'], 3)
  expect(drawn()).toBe(6)
  fireEvent.click(dialog.getByRole('switch', { name: 'create_issue of files' }))
  fireEvent.click(dialog.getByRole('switch', { name: 'mail' }))
  await act(settle)
  expect(link.paramsOf('conversation.switchTool')).toEqual([
    { id: 'c1', server: 'files', tool: 'create_issue', on: false },
    { id: 'c1', server: 'mail', on: false },
  ])
})

it('or everywhere', async () => {
  const { link, dialog } = await open(['files'], 4)
  fireEvent.click(dialog.getByRole('radio', { name: 'Everywhere' }))
  fireEvent.click(dialog.getByRole('switch', { name: 'search_issue of files' }))
  fireEvent.click(dialog.getByRole('switch', { name: 'files' }))
  await act(settle)
  expect(link.paramsOf('server.setToolEnabled')).toEqual([{ name: 'files', tool: 'search_issue', enabled: false }])
  expect(link.paramsOf('server.save')).toMatchObject([{ name: 'files', definition: { enabled: false } }])
  expect(link.paramsOf('conversation.switchTool')).toEqual([])
})

it('what is off everywhere cannot be switched on in a chat', async () => {
  const { dialog } = await open(['files'], 4)
  expect(dialog.getByRole('switch', { name: 'delete_issue of files' })).toHaveProperty('disabled', true)
})

it('before the first message a switch counts for the chat that begins, and nothing is asked of the host', async () => {
  const { link, dialog } = await open(['files', 'mail'], 3, undefined, '')
  fireEvent.click(dialog.getByRole('switch', { name: 'create_issue of files' }))
  fireEvent.click(dialog.getByRole('switch', { name: 'mail' }))
  await act(settle)
  expect(link.paramsOf('tool.sent').at(-1)).toEqual({
    begins: { model: 'm', tools: { servers: ['mail'], tools: { files: ['create_issue'] } } },
  })
  expect(dialog.getByRole('switch', { name: 'mail' })).toHaveProperty('checked', false)
  expect(link.asked.filter(({ name }) => !['app.snapshot', 'tool.list', 'tool.sent'].includes(name))).toEqual([])
})

it('of thousands not all are drawn, and each can be found', async () => {
  const { dialog } = await open(
    Array.from({ length: 50 }, (_, n) => `server-${n}`),
    100,
  )
  expect(drawn()).toBe(0)
  fireEvent.change(dialog.getByRole('searchbox', { name: 'Find a tool' }), { target: { value: 'issue' } })
  await act(settle)
  expect(drawn()).toBeLessThan(100)
  fireEvent.change(dialog.getByRole('searchbox', { name: 'Find a tool' }), { target: { value: 'server-31 archive deployment' } })
  await act(settle)
  expect([...document.querySelectorAll<HTMLElement>('[data-tool]')].map(({ dataset }) => dataset['tool'])).toEqual([
    'server-31__archive_deployment',
  ])
})

it('the button counts what is on in the chat, and says when not all are sent', async () => {
  await open(['files', 'mail'], 3, { servers: ['mail'], tools: { files: ['search_issue'] } })
  expect(screen.getByTitle('Tools of this chat').textContent).toContain('2 tools')
  cleanup()
  await open(
    Array.from({ length: 20 }, (_, n) => `server-${n}`),
    100,
  )
  expect(screen.getByTitle('Tools of this chat').textContent).toContain('found by search')
})
