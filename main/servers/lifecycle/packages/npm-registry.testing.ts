// For tests: a registry of npm's on this computer, and the packages in it. Its answers have the fields that npm reads:
// https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface FakeRegistry {
  readonly url: string
  /** Paths that were asked for. */
  readonly asked: string[]
  /** Publishes a version: a server whose only tool is `tool`, and which says its version. It becomes `latest`. */
  publish(version: string, options?: { readonly tool?: string; readonly description?: string; readonly marks?: string }): void
  /** What `latest` means from now on. */
  tag(version: string): void
  close(): Promise<void>
}

const name = 'notes-mcp'

/** A server of a few lines. `marks`: a file that it writes when it runs. */
const program = (version: string, tool: string, description: string, marks: string | undefined): string => `#!/usr/bin/env node
${marks === undefined ? '' : `require('node:fs').appendFileSync(${JSON.stringify(marks)}, ${JSON.stringify(`${version}\n`)})`}
const answers = {
  initialize: (id, p) => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: ${JSON.stringify(version)} } }),
  'tools/list': () => ({ tools: [{ name: ${JSON.stringify(tool)}, description: ${JSON.stringify(description)}, inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: ${JSON.stringify(version)} }] }),
  ping: () => ({}),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const rest = answer ? { result: answer(id, params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n')
})
`

/** One entry of a tar archive (POSIX ustar). */
function entry(path: string, text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(512)
  head.write(`package/${path}`, 0)
  head.write('0000755\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        0', 148)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}

export async function startNpmRegistry(): Promise<FakeRegistry> {
  const versions = new Map<string, { readonly manifest: object; readonly tarball: Buffer }>()
  const asked: string[] = []
  let latest = ''
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    const [, version = ''] = /-([\d.]+)\.tgz$/.exec(path) ?? []
    const found = versions.get(version)
    if (found) return response.end(found.tarball)
    if (path !== `/${name}` || versions.size === 0)
      return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}')
    const all = Object.fromEntries([...versions].map(([one, { manifest }]) => [one, manifest]))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: all }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    asked,
    publish(version, { tool = 'say', description = 'Says its version', marks } = {}) {
      const about = { name, version, bin: { [name]: 'server.js' } }
      const files = [entry('package.json', JSON.stringify(about)), entry('server.js', program(version, tool, description, marks))]
      const tarball = gzipSync(Buffer.concat([...files, Buffer.alloc(1024)]))
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity }
      versions.set(version, { manifest: { ...about, dist }, tarball })
      latest = version
    },
    tag(version) {
      latest = version
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
