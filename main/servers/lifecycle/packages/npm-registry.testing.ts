// For tests: a registry of npm's on this computer, and the packages in it. Its answers have the fields that npm reads:
// https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface Published {
  /** Default: `notes-mcp`. */
  readonly name?: string
  readonly tool?: string
  readonly description?: string
  /** Other tools of it, as they are listed. */
  readonly tools?: readonly object[]
  /** File that it writes when it runs: its version, or `mark`. */
  readonly marks?: string
  readonly mark?: string
  /** Packages that it loads when it runs. */
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  /** Scripts that npm runs. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Answered in place of what is true. */
  readonly dist?: object
}

export interface FakeRegistry {
  readonly url: string
  /** Paths that were asked for. */
  readonly asked: string[]
  /** Publishes a version: a server whose only tool is `tool`, and which says its version. It becomes `latest`. */
  publish(version: string, options?: Published): void
  /** What a tag means from now on; default: `latest`. */
  tag(version: string, tag?: string): void
  close(): Promise<void>
}

const theName = 'notes-mcp'

/** A server of a few lines. */
const program = (version: string, { tool = 'say', description = 'Says its version', ...more }: Published): string => `#!/usr/bin/env node
${more.marks === undefined ? '' : `require('node:fs').appendFileSync(${JSON.stringify(more.marks)}, ${JSON.stringify(`${more.mark ?? version}\n`)})`}
${Object.keys(more.dependencies ?? {})
  .map((name) => `require(${JSON.stringify(name)})`)
  .join('\n')}
const tools = ${JSON.stringify([{ name: tool, description, inputSchema: { type: 'object' } }, ...(more.tools ?? [])])}
const answers = {
  initialize: (id, p) => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: ${JSON.stringify(version)} } }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: ${JSON.stringify(version)} }] }),
  ping: () => ({}),
}
if (require.main === module) require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
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

interface Package {
  readonly versions: Map<string, { readonly manifest: object; readonly tarball: Buffer }>
  readonly tags: Record<string, string>
}

/** `slowMs`: milliseconds until a package is sent. */
export async function startNpmRegistry({ slowMs = 0 } = {}): Promise<FakeRegistry> {
  const packages = new Map<string, Package>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    const [, of = '', version = ''] = /^\/([^/]+)\/-\/.*-([\d.]+)\.tgz$/.exec(path) ?? []
    const found = packages.get(of)?.versions.get(version)
    if (found) return slowMs > 0 ? void setTimeout(() => response.end(found.tarball), slowMs) : response.end(found.tarball)
    const known = packages.get(path.slice(1))
    if (!known) return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}')
    const all = Object.fromEntries([...known.versions].map(([one, { manifest }]) => [one, manifest]))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ name: path.slice(1), 'dist-tags': known.tags, versions: all }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    asked,
    publish(version, options = {}) {
      const { name = theName, dependencies, optionalDependencies, scripts } = options
      const about = { name, version, bin: { [name]: 'server.js' }, main: 'server.js', dependencies, optionalDependencies, scripts }
      const files = [entry('package.json', JSON.stringify(about)), entry('server.js', program(version, options))]
      const tarball = gzipSync(Buffer.concat([...files, Buffer.alloc(1024)]))
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity, ...options.dist }
      const known: Package = packages.get(name) ?? { versions: new Map(), tags: {} }
      packages.set(name, known)
      known.versions.set(version, { manifest: { ...about, dist, hasInstallScript: scripts !== undefined }, tarball })
      known.tags['latest'] = version
    },
    tag(version, tag = 'latest') {
      const known = packages.get(theName)
      if (known) known.tags[tag] = version
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
