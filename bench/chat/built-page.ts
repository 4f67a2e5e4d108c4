// The page of what is measured, built for production as the product's own is, and served on loopback for the run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { diagramPath, pageFileTypes } from '#app/contract/csp.ts'
import { createDiagramFrame, diagramContent } from '#main/shell/node/page-content.ts'
import { diagramScript } from '#main/shell/node/program-files.ts'
import { buildIfNeeded } from '../../scripts/build-if-needed.ts'
import { installPeers } from './peers/install.ts'

export interface BuiltPage {
  /** Of the page, without its query. */
  readonly url: string
  close(): Promise<void>
}

export async function openBuiltPage(): Promise<BuiltPage> {
  installPeers()
  await buildIfNeeded()
  const diagrams = createDiagramFrame(diagramScript)
  const outDir = mkdtempSync(join(tmpdir(), 'assent-bench-chat-'))
  const root = resolve(import.meta.dirname, 'page')
  await build({
    configFile: false,
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    root,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'chrome140', rolldownOptions: { input: join(root, 'page.html') } },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    const diagram = path === diagramPath ? diagramContent(diagrams()) : undefined
    if (diagram) {
      response.writeHead(200, diagram.headers).end(diagram.bytes)
      return
    }
    try {
      // Our own browser asks, for what we built.
      const bytes = readFileSync(join(outDir, path))
      response.writeHead(200, { 'Content-Type': pageFileTypes[extname(path)] ?? 'application/octet-stream' }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
