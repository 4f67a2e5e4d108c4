// Where the files are that a registry lists: a server on this computer whose every path answers as a test says.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Serve = (response: ServerResponse) => void

export interface FileServer {
  readonly url: string
  /** Paths, in the order that they were asked for. */
  readonly asked: string[]
  readonly files: Map<string, Serve>
  close(): Promise<void>
}

export const bytes =
  (body: Uint8Array | string, type = 'application/octet-stream'): Serve =>
  (response) =>
    void response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)

export const sendsTo =
  (location: string): Serve =>
  (response) =>
    void response.writeHead(302, { location }).end()

/** Begins as an archive does, and never ends. */
export const endless: Serve = (response) => {
  const part = Buffer.alloc(256 * 1024, 'PK')
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.writeHead(200, { 'content-type': 'application/zip' })
  response.on('drain', more)
  more()
}

/** One that says its size, sends a part of it, and no more until it is closed. */
export const stuck = (body: Uint8Array): Serve => {
  return (response) => {
    response.writeHead(200, { 'content-length': body.byteLength })
    response.write(body.subarray(0, body.byteLength / 2))
  }
}

export async function startFileServer(): Promise<FileServer> {
  const asked: string[] = []
  const files = new Map<string, Serve>()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const serve = files.get(request.url ?? '')
    if (serve) serve(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    files,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
