// Starts a server as `npx` does: through a shell, with its own pipes, and without a thought of ending it.
import { spawn } from 'node:child_process'

const [, , program = '', ...args] = process.argv
const line = [process.execPath, program, ...args].map((word) => `"${word}"`).join(' ')
spawn('/bin/sh', ['-c', `${line}; true`], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
