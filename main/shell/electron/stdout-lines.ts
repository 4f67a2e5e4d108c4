import { StringDecoder } from 'node:string_decoder'

/** Length of a line in UTF-16 units; longer ones are cut and end with `…`. */
const longest = 16_000

/** Calls `onLine` with each line of a stream, the unfinished last one too. */
export function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let cut = false
  const take = (text: string): void => {
    if (!cut) rest += text
    if (rest.length > longest) {
      rest = `${rest.slice(0, longest)} …`
      cut = true
    }
  }
  const end = (): void => {
    onLine(rest.endsWith('\r') ? rest.slice(0, -1) : rest)
    rest = ''
    cut = false
  }
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    take(first)
    for (const line of others) {
      end()
      take(line)
    }
  })
  stream.on('end', () => {
    if (rest !== '') end()
  })
  stream.on('error', () => undefined) // The process ends; `exit` reports it.
}
