// A proxy that makes tunnels (CONNECT) and keeps what it was asked for. Every host behind it is this computer.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface RawProxy {
  readonly host: string
  readonly seen: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

/** `status`: what it says to whoever asks for a tunnel. */
export async function proxy(status = 200): Promise<RawProxy> {
  const seen: { target: string; headers: IncomingHttpHeaders }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => void response.writeHead(400).end())
  server.on('connect', (request, socket: Socket) => {
    seen.push({ target: request.url ?? '', headers: request.headers })
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const behind = connect(Number(new URL(`http://${request.url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      behind.pipe(socket).pipe(behind)
    })
    for (const each of [socket, behind]) {
      sockets.add(each)
      each.on('error', () => undefined).on('close', () => sockets.delete(each))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      for (const each of sockets) each.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
