import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, makeChat, results, says, type TestChat } from '../chat.testing.ts'
import { makeOfferedTool } from '../fake-tools.testing.ts'
import { LONGEST_BUILTIN_RESULT } from './builtin-tools.ts'

const long = Array.from({ length: 9000 }, (_, line) => `line ${line} of\u200b the file`).join('\n')

let kit: TestChat
let given = long
let readOn: { result?: string; offset?: number; length?: number; search?: string } = {}

describe('reading on in a large result', () => {
  beforeEach(() => {
    kit = makeChat({
      script: [
        calls('files__read'),
        says('I saw the beginning'),
        () => calls(['assent__read_result', JSON.stringify(readOn)]),
        says('Done'),
      ],
      tools: [makeOfferedTool('read')],
      run: () => Promise.resolve({ content: [{ type: 'text', text: given }] }),
      policy: () => ({ kind: 'allow', scope: 'once' }),
    })
  })
  afterEach(() => {
    given = long
    return kit.dispose()
  })

  test('needs no consent, calls no server, and gives the model what stands there, without hidden characters', async () => {
    const id = await kit.turn('Read it')
    const [first] = results(kit)
    const offset = Number(/from offset (\d+)/.exec(first?.text ?? '')?.[1])
    readOn = { result: kit.toolCalls(id)[0]?.id ?? '', offset, length: 500 }
    await kit.turn('Go on', id)
    const text = results(kit).at(-1)?.text ?? ''
    expect(text.startsWith(long.slice(offset, offset + 500).replaceAll('\u200b', ''))).toBe(true)
    expect(kit.sent).toHaveLength(1)
    expect(kit.toolCalls(id)[1]).toMatchObject({ own: true, state: { kind: 'done', decision: { by: 'host' } } })
  })

  test('finds a text in it, with the places', async () => {
    const id = await kit.turn('Read it')
    readOn = { result: kit.toolCalls(id)[0]?.id ?? '', search: 'LINE 8123 ' }
    await kit.turn('Find it', id)
    expect(results(kit).at(-1)?.text).toContain(`At ${long.indexOf('line 8123 ')}:`)
  })

  test('finds every sign of it as it is', async () => {
    const sign = '2026-10 (a/b) [x] {1} $^*+?.|\\ #&~@=!<>:;%_'
    given = `${long}\n${sign}`
    const id = await kit.turn('Read it')
    readOn = { result: kit.toolCalls(id)[0]?.id ?? '', search: sign }
    await kit.turn('Find it', id)
    expect(results(kit).at(-1)?.text).toContain(`At ${given.indexOf(sign)}:`)
  })

  test('is capped, however much is asked for', async () => {
    const id = await kit.turn('Read it')
    readOn = { result: kit.toolCalls(id)[0]?.id ?? '', length: 10_000_000 }
    await kit.turn('All of it', id)
    expect(results(kit).at(-1)?.text.length).toBeLessThan(LONGEST_BUILTIN_RESULT)
  })

  test('reaches no result of another conversation', async () => {
    const other = await kit.turn('Read it')
    readOn = { result: kit.toolCalls(other)[0]?.id ?? '' }
    const id = await kit.turn('And here?')
    expect(results(kit).at(-1)).toMatchObject({ isError: true })
    expect(kit.toolCalls(id)[0]?.own).toBe(true)
  })
})
