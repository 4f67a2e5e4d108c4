import { expect, it } from 'vitest'
import { streamLog } from './host-log.ts'

it('a message is one line, whatever a server put into it', () => {
  const written: string[] = []
  const log = streamLog({ write: (text) => written.push(text) })
  log.error('It failed', new Error('bad\nassent info: all is well\u001b[2J\u009b\u202e'))
  expect(written).toEqual(['assent error: It failed: bad\\u{a}assent info: all is well\\u{1b}[2J\\u{9b}\\u{202e}\n'])
})
