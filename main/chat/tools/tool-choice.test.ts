import { expect, it } from 'vitest'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import type { ChatContext } from '../chat-context.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'
import { toolsOf } from './tool-choice.ts'

const tools = [makeOfferedTool('read'), makeOfferedTool('add', 'notes'), makeOfferedTool('write')]

/** Names of the tools in a chat of that folder. */
function names(folder: { servers?: string[] } | undefined, switches?: ToolSwitches): string[] {
  const context = { servers: { tools: () => tools }, store: { chatFolders: { get: () => folder } } } as unknown as ChatContext // Only what is read.
  return toolsOf(context, { folderId: 'f', ...(switches ? { tools: switches } : {}) }).map(({ server, tool }) => `${server}.${tool.name}`)
}

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
