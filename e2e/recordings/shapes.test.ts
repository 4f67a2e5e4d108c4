// Streams of our own in the shapes that vendors send (`make-shapes.ts` wrote them after recordings, which each line names), through the
// real providers: what is read of each, and whether the requests of the next turns are legal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectPlayed, type Recording } from './play.testing.ts'

type Shape = Recording & { readonly body: string }
const shapes = readFileSync(join(import.meta.dirname, 'shapes.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Shape)

test('there are 60 shapes or more, of 20 vendors or more', () => {
  expect([shapes.length >= 60, new Set(shapes.map(({ vendor }) => vendor)).size >= 20]).toEqual([true, true])
})

test.each(shapes)('$id', (shape) => expectPlayed(shape, Buffer.from(shape.body, shape.format === 'bedrock' ? 'base64' : 'utf8')))
