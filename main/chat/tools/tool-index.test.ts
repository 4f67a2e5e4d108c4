import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'
import { createToolIndex } from './tool-choice.ts'

const tool = (name: string, description: string, server = 'files', properties: JsonObject = {}): OfferedTool => {
  const made = makeOfferedTool(name, server)
  return { ...made, tool: { ...made.tool, description, inputSchema: { type: 'object', properties } } }
}

const tools = [
  tool('create_issue', 'Create a new issue in a repository.', 'github'),
  tool('createIssue', 'Create an issue in a project.', 'jira'),
  tool('delete_message', 'Delete a message.', 'slack'),
  tool('send_invoice', 'Send an invoice to a customer.', 'billing', { dunning_level: { type: 'integer' } }),
  tool('resize', 'Make it smaller or larger.', 'media', { target: { type: 'string', description: 'The thumbnail to be written' } }),
  tool('play', 'Start playback.', 'music', { mode: { type: 'string', enum: ['shuffle', 'radio'] } }),
]
const names = (text: string, limit = 3): string[] =>
  createToolIndex(tools)
    .rank(text, limit)
    .map(({ offered }) => offered.tool.modelName)

describe('what a text is about', () => {
  test.each([
    ['delete the message', 'slack__delete_message'],
    ['remove my messages', 'slack__delete_message'],
    ['open a jira issue', 'jira__createIssue'],
    ['github issues', 'github__create_issue'],
    ['dunning', 'billing__send_invoice'],
    ['thumbnail', 'media__resize'],
    ['put it on shuffle', 'music__play'],
    ['make pic.png smaller', 'media__resize'],
  ])('“%s” is about %s', (text, name) => {
    expect(names(text)[0]).toBe(name)
  })

  test('that names nothing is about no tool', () => {
    expect(names('hello there')).toEqual([])
  })

  test('gives equals in the order of the list, whatever else is there', () => {
    const twins = ['a', 'b', 'c'].map((server) => tool('read_page', 'Read a page.', server))
    const ranked = (list: readonly OfferedTool[]): string[] =>
      createToolIndex(list)
        .rank('read page', 10)
        .map(({ offered }) => offered.server)
    expect(ranked(twins)).toEqual(['a', 'b', 'c'])
    expect(ranked([...twins, ...tools])).toEqual(['a', 'b', 'c'])
  })
})

test('a description that repeats a word over and over gains little by it', () => {
  const honest = tool('send_mail', 'Send an email to somebody.', 'mail')
  const loud = tool('do_it', 'email '.repeat(5000), 'loud')
  expect(createToolIndex([loud, honest]).rank('send an email', 1)[0]?.offered).toBe(honest)
})

test('a schema of any shape does no harm', () => {
  const odd = tool('odd', 'Odd.', 'x', { a: true as unknown as JsonObject, b: { enum: [1, null, 'green'] }, c: { items: { items: {} } } })
  expect(createToolIndex([odd]).rank('green', 1)).toHaveLength(1)
})
