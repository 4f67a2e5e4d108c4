// A host with a guard: starts wrapped, stubborn servers with children, prints their process ids, and waits to be killed.
import { systemClock } from '#main/base/clock.ts'
import { createWatchdog } from '#main/servers/process/watchdog.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'

const guard = createWatchdog()
const program = new URL('leaves-child.mjs', import.meta.url).pathname
for (let n = 0; n < 3; n++) {
  const args = ['-c', `"${process.execPath}" "${program}" stays; true`]
  const server = launchStdio({ command: '/bin/sh', args, env: {}, cwd: '/', watches: [guard], clock: systemClock })
  server.onOutput((_, line) => process.stdout.write(`${line}\n`))
}
