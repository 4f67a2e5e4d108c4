import type { CreateMessageRequestParams } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { readPrompt } from './sampling.ts'

const png = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')
const text = (words: string) => ({ type: 'text', text: words })
const use = (id: string, name = 'look') => ({ type: 'tool_use', id, name, input: { at: 1 } })
const result = (toolUseId: string, more: object = {}) => ({ type: 'tool_result', toolUseId, content: [text('seen')], ...more })
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const user = (...content: object[]) => ({ role: 'user', content: content.length === 1 ? content[0] : content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const params = (messages: object[], more: object = {}) => ({ messages, maxTokens: 5, ...more }) as unknown as CreateMessageRequestParams
const read = (messages: object[], more: object = {}) => readPrompt(params(messages, more))

describe('a sampling request', () => {
  test('is read with one block or several, in their order', () => {
    expect(read([user(text('a')), user(text('b'), { type: 'image', data: png, mimeType: 'text/html' })])).toEqual({
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'a' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'b' },
            { type: 'image', mimeType: 'image/png', data: png },
          ],
        },
      ],
      tools: [],
      toolChoice: 'auto',
    })
  })

  test('is read with tools, their uses and what came of them', () => {
    const link = { type: 'resource_link', uri: 'a:1', name: 'one' }
    const resource = { type: 'resource', resource: { uri: 'a:2', text: 'inside' } }
    const { messages, tools, toolChoice } = read(
      [
        user(text('go')),
        assistant(text('I look'), use('1'), use('2')),
        user(result('2', { isError: true, structuredContent: { n: 1 } }), result('1', { content: [link, resource] })),
      ],
      { tools: [tool('look')], toolChoice: { mode: 'none' } },
    )
    expect([tools, toolChoice]).toEqual([[tool('look')], 'none'])
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look' },
          { type: 'tool-use', id: '1', name: 'look', input: { at: 1 } },
          { type: 'tool-use', id: '2', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', id: '2', content: [{ type: 'text', text: 'seen' }], structured: { n: 1 }, isError: true },
          {
            type: 'tool-result',
            id: '1',
            content: [
              { type: 'text', text: expect.stringContaining('a:1') },
              { type: 'text', text: expect.stringContaining('inside') },
            ],
            isError: false,
          },
        ],
      },
    ])
  })

  test.each<[string, object[], object?]>([
    ['tool results beside other content', [assistant(use('1')), user(text('here:'), result('1'))]],
    ['a use that is not answered', [assistant(use('1'), use('2')), user(result('1'))]],
    ['a use that is answered too late', [assistant(use('1')), user(text('wait')), user(result('1'))]],
    ['a use at the end', [user(text('go')), assistant(use('1'))]],
    ['an answer to nothing', [user(result('1'))]],
    ['an answer that comes twice', [assistant(use('1')), user(result('1'), result('1'))]],
    ['two uses of one id', [assistant(use('1'), use('1')), user(result('1'), result('1'))]],
    ['a use by the user', [user(use('1')), user(result('1'))]],
    ['a result by the assistant', [assistant(result('1'))]],
    ['a tool that is required but not given', [user(text('go'))], { toolChoice: { mode: 'required' } }],
    ['two tools of one name', [user(text('go'))], { tools: [tool('a'), tool('a')] }],
    ['more tools than a person reads', [user(text('go'))], { tools: Array.from({ length: 65 }, (_, i) => tool(`t${i}`)) }],
    ['audio', [user({ type: 'audio', data: '', mimeType: 'audio/wav' })]],
    ['an image that is none', [user({ type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' })]],
    ['an image by the assistant', [assistant({ type: 'image', data: png, mimeType: 'image/png' })]],
    ['more text than a person reads', [user(text('x'.repeat(300_000)))]],
  ])('with %s is refused as invalid', (_, messages, more) => {
    const refusal = (() => {
      try {
        return read(messages, more)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toSatisfy(isProtocolError)
    expect(refusal).toMatchObject({ code: -32602 })
  })
})
