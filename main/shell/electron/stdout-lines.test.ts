import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { splitLines } from './demo-server.ts'

async function linesOf(chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const stream = new PassThrough()
  const lines: string[] = []
  splitLines(stream, (line) => lines.push(line))
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  return lines
}

test('a character that is cut in two between chunks is whole again', async () => {
  const bytes = Buffer.from('é\n')
  expect(await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(['é'])
})

test('a line without end costs no more than its limit, and the next one is whole', async () => {
  const [long = '', next] = await linesOf([...Array(40).fill('x'.repeat(1000)), '\nnext\n'])
  expect([long.length < 16_010, long.endsWith('…'), next]).toEqual([true, true, 'next'])
})
