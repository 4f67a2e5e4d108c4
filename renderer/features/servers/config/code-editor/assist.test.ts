import { describe, expect, it } from 'vitest'
import { completionsAt, explainAt } from './assist.ts'

/** `|` is the caret. */
const at = (marked: string) => ({ text: marked.replace('|', ''), offset: marked.indexOf('|') })
const offered = (marked: string): string[] | undefined => {
  const { text, offset } = at(marked)
  return completionsAt(text, offset)?.options.map(({ label }) => label)
}
/** The text once an offer was taken, with the caret. */
const taken = (marked: string, label: string): string => {
  const { text, offset } = at(marked)
  const offer = completionsAt(text, offset)
  const option = offer?.options.find((one) => one.label === label)
  if (!offer || !option) throw new Error(`${label} is not offered`)
  const caret = option.caret ?? option.insert.length
  return `${text.slice(0, offer.from)}${option.insert.slice(0, caret)}|${option.insert.slice(caret)}${text.slice(offer.to)}`
}

describe('what is offered', () => {
  it('is what an entry has not yet', () => {
    expect(offered('{ "mcpServers": { "a": { "command": "x", | } } }')).not.toContain('command')
    expect(offered('{ "mcpServers": { "a": { "command": "x", | } } }')).toEqual(expect.arrayContaining(['args', 'env', 'start']))
    expect(offered('{ | }')).toEqual(['mcpServers', 'inputs'])
    expect(offered('{ "inputs": [{ "id": "t", | }] }')).toContain('password')
  })

  it('is nothing where names are the person’s own, and where nothing is known', () => {
    expect(offered('{ "mcpServers": { "|" } }')).toBeUndefined()
    expect(offered('{ "mcpServers": { "a": { "env": { "|" } } } }')).toBeUndefined()
    expect(offered('{ "theirs": { | } }')).toBeUndefined()
  })

  it('is put in whole, with the caret where one goes on', () => {
    expect(taken('{ "mcpServers": { "a": { "ar| } } }', 'args')).toBe('{ "mcpServers": { "a": { "args": [|] } } }')
    expect(taken('{ "mcpServers": { "a": { | } } }', 'command')).toBe('{ "mcpServers": { "a": { "command": "|" } } }')
    expect(taken('{ "mcpServers": { "a": { "comm|": "x" } } }', 'command')).toBe('{ "mcpServers": { "a": { "command"|: "x" } } }')
    expect(taken('{ "mcpServers": { "a": { tim| } } }', 'timeout')).toBe('{ "mcpServers": { "a": { "timeout": 60000| } } }')
  })

  it('is the values that a key may have', () => {
    expect(taken('{ "mcpServers": { "a": { "start": | } } }', 'launch')).toBe('{ "mcpServers": { "a": { "start": "launch"| } } }')
    expect(taken('{ "mcpServers": { "a": { "start": "la|" } } }', 'launch')).toBe('{ "mcpServers": { "a": { "start": "launch"| } } }')
    expect(taken('{ "mcpServers": { "a": { "disabled": fa| } } }', 'false')).toBe('{ "mcpServers": { "a": { "disabled": false| } } }')
  })
})

describe('what is explained', () => {
  it('is a key or its value, and nothing between them', () => {
    const explained = (marked: string): string | undefined => {
      const { text, offset } = at(marked)
      return explainAt(text, offset)?.name
    }
    expect(explained('{ "mcpServers": { "a": { "st|art": "launch" } } }')).toBe('start')
    expect(explained('{ "mcpServers": { "a": { "start": "lau|nch" } } }')).toBe('start')
    expect(explained('{ "mcpServers": { "a": { "theirs|": 1 } } }')).toBeUndefined()
    expect(explained('{  |  "mcpServers": {} }')).toBeUndefined()
  })
})
