// A computer that does not answer: a port whose queue of connections is full, and whose program sleeps. Prints the port,
// fills the queue, and stops itself; a connection that is made then hangs, as behind a firewall.
import { connect, createServer } from 'node:net'

const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const { port } = server.address()
  process.stdout.write(`${port}\n`, () => {
    // The kernel takes these until the queue is full. Nobody accepts them: the loop does not turn again, for they and the stop
    // follow in one tick. A stop in a later phase let the loop accept one, and the queue had room again.
    for (let n = 0; n < 8; n += 1) connect(port, '127.0.0.1').on('error', () => undefined)
    process.nextTick(() => process.kill(process.pid, 'SIGSTOP'))
  })
})
