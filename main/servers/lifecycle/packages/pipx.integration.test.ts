// pipx itself, with an index on this computer: what a pinned command line starts, and what an entry's own index is told as.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchedBy, fetchedLabel, pinnedArgs } from '#app/server/fetched.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { createPackages } from './packages.ts'

const plain = { enabled: true, start: 'needed', trusted: false } as const

const isHere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Writes wheels that say their version. Python makes them: pip takes no other archive. */
const wheels = `
import sys, zipfile
for version in sys.argv[1:]:
    with zipfile.ZipFile(f'notes_mcp-{version}-py3-none-any.whl', 'w') as file:
        at = f'notes_mcp-{version}.dist-info/'
        file.writestr('notes_mcp.py', f'def main():\\n    print("{version}")\\n')
        file.writestr(at + 'METADATA', f'Metadata-Version: 2.1\\nName: notes-mcp\\nVersion: {version}\\n')
        file.writestr(at + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        file.writestr(at + 'entry_points.txt', '[console_scripts]\\nnotes-mcp = notes_mcp:main\\n')
        file.writestr(at + 'RECORD', '')
`

describe.skipIf(!isHere('pipx') || !isHere('python3'))('pipx', () => {
  let folder = ''
  let index: Server
  let url = ''
  const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: folder })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assent-pipx-'))
    execFileSync('python3', ['-c', wheels, '1.2.3', '2.0.0'], { cwd: folder })
    index = createServer((request, response) => {
      const path = request.url ?? ''
      if (path.endsWith('.whl')) return response.end(readFileSync(join(folder, path.split('/').at(-1) ?? '')))
      if (!path.startsWith('/simple/notes-mcp')) return response.writeHead(404).end()
      const links = ['1.2.3', '2.0.0'].map((version) => `notes_mcp-${version}-py3-none-any.whl`)
      return response.setHeader('content-type', 'text/html').end(links.map((name) => `<a href="${name}">${name}</a>`).join('\n'))
    })
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`
  })
  afterAll(() => {
    index.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  test('starts the version that was pinned, though the index has a newer one', { timeout: 120_000 }, async () => {
    const args = ['run', 'notes-mcp']
    const fetched = fetchedBy('pipx', args)
    const pinned = pinnedArgs(args, fetched ?? expect.fail('not understood'), '1.2.3')
    const run = (line: readonly string[]) => promisify(execFile)('pipx', line, { env: { ...env(), PIP_INDEX_URL: url } })
    expect((await run(pinned)).stdout).toBe('1.2.3\n')
    // Control: unpinned it is the newest.
    expect((await run(args)).stdout).toBe('2.0.0\n')
  })

  test.each([
    ['in the variables of the entry', ['run', 'notes-mcp'], true],
    ['among the arguments', ['run', '--index-url', 'INDEX', 'notes-mcp'], false],
    ['among the arguments, for pip', ['run', '--pip-args=--index-url INDEX', 'notes-mcp'], false],
  ])('has no pinned version where the index stands %s, and starts from there', { timeout: 120_000 }, async (_where, line, byVariable) => {
    const args = line.map((word) => word.replace('INDEX', url))
    const definition = { transport: 'stdio', command: 'pipx', args, env: byVariable ? { PIP_INDEX_URL: url } : {}, ...plain } as const
    const packages = createPackages({
      json: { get: () => expect.fail('PyPI was asked') },
      environment: createEnvironment({ isTerminal: true, env: env(), home: folder }),
      home: folder,
    } as never)
    const fetched = fetchedBy('pipx', args)
    const found = fetched && (await packages.find(definition, fetched, new AbortController().signal))
    const what = fetched && fetchedLabel(fetched, typeof found === 'string' ? { unpinned: found } : {})
    expect(what?.[1]).toContain('Version not pinned')
    expect((await promisify(execFile)('pipx', args, { env: { ...env(), ...definition.env } })).stdout).toBe('2.0.0\n')
  })
})
