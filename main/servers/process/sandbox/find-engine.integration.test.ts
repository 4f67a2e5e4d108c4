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

// Texts as people reported them, in issues of the projects named, and what the system said of itself then.
const apparmor = { 'kernel/apparmor_restrict_unprivileged_userns': '1' }
const noClone = { 'kernel/unprivileged_userns_clone': '0' }
const noUserns = { 'user/max_user_namespaces': '0' }
const allows = { 'kernel/unprivileged_userns_clone': '1', 'user/max_user_namespaces': '63000' }
const around = ['other sandboxes', '/proc']
const debian =
  "No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'."
it.each<[source: string, said: string, settings: Readonly<Record<string, string>>, fix: readonly string[]]>([
  ['containers/bubblewrap 505, DevToys 1373, ai-jail 34', 'setting up uid map: Permission denied', apparmor, ['bwrap-userns-restrict']],
  ['openai/codex 17337', 'loopback: Failed RTM_NEWADDR: Operation not permitted', apparmor, ['bwrap-userns-restrict']],
  ['containers/bubblewrap 324, junest 261', debian, noClone, ['kernel.unprivileged_userns_clone=1']],
  [
    'bedrocklinux 303',
    'No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap> or <file:///usr/share/doc/bubblewrap/README.Debian.gz>.',
    noClone,
    ['kernel.unprivileged_userns_clone=1'],
  ],
  ['containers/bubblewrap 331', 'unshare user ns: Operation not permitted', noClone, ['kernel.unprivileged_userns_clone=1']],
  ['containers/bubblewrap 371', 'Creating new namespace failed: No space left on device', noUserns, ['user.max_user_namespaces=']],
  [
    'containers/bubblewrap 102, 216 (CentOS 7)',
    'Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.',
    noUserns,
    ['user.max_user_namespaces='],
  ],
  [
    'containers/bubblewrap 764 (in another bubblewrap)',
    'Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    allows,
    around,
  ],
  ['containers/bubblewrap 465', 'unshare user ns: No space left on device', allows, around],
  ['containers/bubblewrap 473', 'Creating new namespace failed: Function not implemented', allows, around],
  ['sandbox-runtime 180 (Docker)', 'Creating new namespace failed: Operation not permitted', allows, around],
  ['openai/codex 44304 (Podman)', "Can't mount proc on /newroot/proc: Operation not permitted", allows, around],
  ['openai/codex 44329 (bubblewrap 0.12)', "Can't mount proc on /proc: Operation not permitted", allows, around],
  ['openai/codex 15434, 23468 (Docker)', 'Failed to make / slave: Permission denied', allows, around],
  ['openai/codex 34008', 'pivot_root: Invalid argument', allows, around],
  ['openai/codex 30153 (proot)', 'fchdir to oldroot: No such file or directory', allows, around],
  ['google/gvisor 13438', 'loopback: Failed RTM_NEWADDR: File exists', allows, around],
  ['containers/bubblewrap, its source', 'Unexpected capabilities but not setuid, old file caps config?', allows, around],
])('%s: says “%s”, and what allows it', async (_source, said, settings, fix) => {
  const engine = await make({ bwrap: fails(said), socat: 'exit 0' }, settings)
  expect(engine).toMatchObject({ kind: 'none', reason: 'refused' })
  const { remedy = '' } = engine as { remedy?: string }
  for (const part of [said, ...fix]) expect(remedy).toContain(part)
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
