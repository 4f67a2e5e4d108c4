import { expect, it } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'
import { offeredTools } from './tool-choice.ts'

const conversation: Conversation = { id: 'c', title: '', model: 'm/m', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } }
const tools = [makeOfferedTool('read'), makeOfferedTool('add', 'notes'), makeOfferedTool('write')]
const names = (folder: { servers?: string[] } | undefined, switches?: ToolSwitches) =>
  offeredTools(switches ? { ...conversation, tools: switches } : conversation, folder, tools).map(
    ({ server, tool }) => `${server}.${tool.name}`,
  )

it.each([
  ['no folder', undefined, undefined, ['files.read', 'notes.add', 'files.write']],
  ['a folder that leaves all', {}, undefined, ['files.read', 'notes.add', 'files.write']],
  ['a folder with one server', { servers: ['files'] }, undefined, ['files.read', 'files.write']],
  ['a folder with a server that is gone', { servers: ['gone'] }, undefined, []],
  ['a folder with none', { servers: [] }, undefined, []],
  ['a chat without one tool', undefined, { servers: [], tools: { files: ['read'] } }, ['notes.add', 'files.write']],
  ['a chat without a tool that its folder leaves', { servers: ['files'] }, { servers: [], tools: { files: ['read'] } }, ['files.write']],
  ['a chat without the server of its folder', { servers: ['files'] }, { servers: ['files'], tools: {} }, []],
])('in %s', (_name, folder, switches, expected) => {
  expect(names(folder, switches)).toEqual(expected)
})
