// Ends with its stdin, and leaves behind two that have left its process group: one in a session of its own that ignores
// SIGTERM, and one that its parent has disowned as well. With an argument it is stubborn itself. None of them outlives a
// test run that was killed by more than two minutes.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const own = { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }
const shells = ['trap "" TERM; echo pid $$; for n in $(seq 120); do sleep 1; done', '(sh -c "echo pid \\$\\$; exec sleep 120" &)']
for (const script of shells) {
  const child = spawn('/bin/sh', ['-c', script], own)
  createInterface({ input: child.stdout }).once('line', (line) => process.stderr.write(`${line}\n`))
}
if (process.argv[2] !== undefined) process.on('SIGTERM', () => undefined)
process.stdin.resume()
if (process.argv[2] === undefined) process.stdin.on('end', () => process.exit(0))
else setTimeout(() => process.exit(9), 120_000)
