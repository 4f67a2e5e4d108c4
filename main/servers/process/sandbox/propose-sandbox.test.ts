import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import { proposeSandbox } from './propose-sandbox.ts'
import { makeSceneFolder } from './scene-folder.testing.ts'

const root = makeSceneFolder()
afterAll(() => rmSync(root, { recursive: true, force: true }))
const home = join(root, 'home')
const at = (path: string): string => join(home, path)
for (const folder of ['notes', '.kube', '.config/tool', '.data/bundles', '.local/share/keyrings', '.cache/ms-playwright/chromium-1187'])
  mkdirSync(at(folder), { recursive: true })
writeFileSync(at('.kube/config'), '')
symlinkSync(at('.kube'), at('notes/clusters'))
symlinkSync(at('notes'), at('link'))

/** Suggestions, and the paths and hosts that are granted with them. */
async function propose(line: string, env = {}) {
  const [command = '', ...args] = line.split(' ')
  const definition: StdioDefinition = { transport: 'stdio', command, args, env, enabled: true, start: 'needed', trusted: false }
  const place = { home, dataDir: at('.data') }
  const engine = async () => ({ kind: 'bubblewrap', bwrap: '/bwrap', socat: '/socat', disablesUserns: true }) as const
  const { sandbox, question } = await proposeSandbox({ definition, cwd: home }, { place, engine })
  if (sandbox?.kind !== 'on') throw new Error('no sandbox was proposed')
  const { read, write, hosts } = sandbox
  return { suggested: question?.suggested, granted: { read, write, hosts } }
}

it('names a place of secrets that a well-known server needs, and does not grant it', async () => {
  expect(await propose('npx -y mcp-server-kubernetes')).toEqual({
    suggested: [{ list: 'read', value: at('.kube'), reason: 'known-server', review: true }],
    granted: { read: [], write: [], hosts: [] },
  })
})

it.each([
  ['in a variable', 'some-server', { KUBECONFIG: at('.kube/config') }, 'variable', '.kube/config'],
  ['among the arguments', `some-server ${at('.kube')}`, {}, 'argument', '.kube'],
  ['behind a link', `some-server ${at('notes/clusters')}`, {}, 'argument', '.kube'],
])('grants no place of secrets that stands %s', async (_where, line, env, reason, path) => {
  expect(await propose(line, env)).toEqual({
    suggested: [{ list: 'read', value: at(path), reason, review: true }],
    granted: { read: [], write: [], hosts: [] },
  })
})

it('suggests the folder that a link leads to, and to read what must not be written', async () => {
  expect(await propose(`some-server ${at('link')} ${at('.config/tool')}`)).toMatchObject({
    granted: { read: [at('.config/tool')], write: [at('notes')] },
  })
})

it('suggests nothing that no grant can give', async () => {
  expect(await propose(`some-server ${at('.data')} ${at('.local/share/keyrings')} ${root} / ~ /proc/self`)).toMatchObject({ suggested: [] })
})

it('grants a browser its program, and any website', async () => {
  const { granted } = await propose('npx @playwright/mcp@latest')
  expect(granted).toEqual({ read: [at('.cache/ms-playwright/chromium-1187')], write: [], hosts: ['*'] })
})
