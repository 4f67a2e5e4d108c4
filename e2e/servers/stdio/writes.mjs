// Writes its arguments to stdout, each as one chunk, and ends when its stdin does. `\n` and the like are JSON escapes.
import { setTimeout } from 'node:timers/promises'

for (const text of process.argv.slice(2)) {
  process.stdout.write(Buffer.from(JSON.parse(`"${text}"`), 'latin1'))
  await setTimeout(20)
}
process.stdin.resume()
