// A computer that does not answer: a port whose queue of connections is full, and whose program sleeps. Prints the port,
// fills the queue, and stops itself; a connection that is made then hangs, as behind a firewall.
import { connect, createServer } from 'node:net'

const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const { port } = server.address()
  process.stdout.write(`${port}\n`, () => {
    // The kernel takes these until the queue is full; nobody accepts them, for the loop does not turn again.
    for (let n = 0; n < 8; n += 1) connect(port, '127.0.0.1').on('error', () => undefined)
    setImmediate(() => process.kill(process.pid, 'SIGSTOP'))
  })
})
