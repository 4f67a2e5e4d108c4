// A server without a mind of its own: every byte of its stdin goes to the test that listens on the socket of its argument,
// and the test says what it does, one order a line. So a test is the server, and the host has a real process before it.
import { closeSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** `write`: bytes for stdout, as base64, in one piece. `exit`: a code. */
export type Order = { readonly write: string } | { readonly do: 'close-stdout' | 'pause' | 'resume' } | { readonly exit: number }

const socket = connect(process.argv[2] ?? '')
process.stdin.pipe(socket)

const obey = async (order: Order): Promise<void> => {
  if ('write' in order) await new Promise((resolve) => process.stdout.write(Buffer.from(order.write, 'base64'), resolve))
  else if ('exit' in order) process.exit(order.exit)
  else if (order.do === 'close-stdout') closeSync(1)
  else if (order.do === 'pause') process.stdin.unpipe(socket).pause()
  else process.stdin.pipe(socket)
}

for await (const line of createInterface({ input: socket })) await obey(JSON.parse(line) as Order)
