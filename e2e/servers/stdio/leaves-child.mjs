// Has a stubborn child that holds its stdout and stderr. With `stays` it is itself as stubborn; else it ends and leaves it.
import { spawn } from 'node:child_process'

const program = new URL('lingers.mjs', import.meta.url).pathname
const child = spawn(process.execPath, [program, 'stubborn'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
child.on('message', () => {
  if (process.argv[2] === 'stays') void import('./lingers.mjs')
  else process.exit(3)
})
