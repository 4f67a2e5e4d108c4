// pipx itself, with an index on this computer: what a pinned command line starts, and what an entry's own index is told as.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchedBy, fetchedLabel, pinnedArgs } from '#app/server/fetched.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { createPackages } from './packages.ts'
import { hasPipx, startPythonIndex } from './python-index.testing.ts'

const plain = { enabled: true, start: 'needed', trusted: false } as const

describe.skipIf(!hasPipx())('pipx', () => {
  let folder = ''
  let index: Awaited<ReturnType<typeof startPythonIndex>>
  let url = ''
  const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: folder })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assent-pipx-'))
    index = await startPythonIndex(folder)
    url = index.url
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
