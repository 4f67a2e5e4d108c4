// Systems without an engine: programs that are not there, refusals in the words of real ones, and a kernel that really refuses.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findEngine } from './find-engine.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-engine-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function make(programs: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>> = {}) {
  for (const [name, script] of Object.entries(programs)) writeFileSync(join(root, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  for (const folder of ['kernel', 'user']) mkdirSync(join(root, folder))
  for (const [name, value] of Object.entries(settings)) writeFileSync(join(root, name), `${value}\n`)
  return findEngine({ platform: 'linux', folders: [root], kernel: root })
}

const fails = (said: string): string => `[ "$1" = --help ] || { echo "bwrap: ${said}" >&2; exit 1; }`

it.each([
  ['bubblewrap', { socat: 'exit 0' }],
  ['socat', { bwrap: 'exit 0' }],
])('names the command that installs %s', async (_what, programs) => {
  expect(await make(programs)).toMatchObject({ kind: 'none', reason: 'not-installed', remedy: expect.stringContaining('sudo apt install') })
})

// Texts as people reported them: github.com/containers/bubblewrap issues 505 and 632, and its own source.
it.each([
  ['setting up uid map: Permission denied', { 'kernel/apparmor_restrict_unprivileged_userns': '1' }, 'bwrap-userns-restrict'],
  [
    'loopback: Failed RTM_NEWADDR: Operation not permitted',
    { 'kernel/apparmor_restrict_unprivileged_userns': '1' },
    'bwrap-userns-restrict',
  ],
  [
    'No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    { 'kernel/unprivileged_userns_clone': '0' },
    'kernel.unprivileged_userns_clone=1',
  ],
  ['Creating new namespace failed: No space left on device', { 'user/max_user_namespaces': '0' }, 'user.max_user_namespaces='],
  ['No permissions to create new namespace', { 'user/max_user_namespaces': '63000' }, 'seccomp'],
])('says what bubblewrap said (%s), and what allows it', async (said, settings, fix) => {
  const engine = await make({ bwrap: fails(said), socat: 'exit 0' }, settings)
  expect(engine).toMatchObject({ kind: 'none', reason: 'refused' })
  const { remedy = '' } = engine as { remedy?: string }
  expect([remedy.includes(said), remedy.includes(fix)]).toEqual([true, true])
})

const inside = (command: string) =>
  promisify(execFile)('unshare', ['-Ur', 'sh', '-c', `echo 0 > /proc/sys/user/max_user_namespaces && ${command}`])
const canRefuse = await inside('true').then(
  () => true,
  () => false,
)

it.skipIf(!canRefuse || (await findEngine()).kind !== 'bubblewrap')(
  'takes a kernel that really refuses for one without an engine',
  async () => {
    const script = `import('${join(import.meta.dirname, 'find-engine.ts')}').then(async (m) => console.log(JSON.stringify(await m.findEngine())))`
    const { stdout } = await inside(`exec ${process.execPath} -e "${script}"`)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'none', reason: 'refused', remedy: expect.stringContaining('max_user_namespaces') })
  },
)
