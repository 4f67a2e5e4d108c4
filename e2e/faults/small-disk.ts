// A host on a disk that is full, or that may only be read: `small-disk.ts full|read-only FOLDER`, where FOLDER is a disk of
// its own, small, and this program may mount it anew. Prints what it found as one line of JSON.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHost } from '#main/host/host.testing.ts'
import { type Acknowledged, createAcknowledged } from './acknowledged.ts'
import type { Outcome } from './fault.ts'
import { openHost } from './open-host.ts'
import { codeOf } from './stage.ts'

const [, , mode, folder = ''] = process.argv
const dataDir = join(folder, 'profile')
const told: Acknowledged = createAcknowledged()
const wrong: string[] = []

function open(): TestHost {
  mkdirSync(dataDir, { recursive: true })
  const opened = openHost({ dataDir })
  opened.host.onEvent(told.take)
  return opened
}

/** Resolves with the code of what was thrown, or `accepted`. */
const say = (host: TestHost['host'], text: string): Promise<string> =>
  host.request('chat.send', { text }).then(async ({ conversationId }) => {
    await host.context.chat.idle(conversationId)
    return 'accepted'
  }, codeOf)

async function countLost(host: TestHost['host']): Promise<number> {
  let lost = 0
  for (const id of told.conversations())
    lost += told.lost(
      id,
      await host.request('conversation.get', { id }).then(
        ({ messages }) => messages,
        () => [],
      ),
    ).length
  return lost
}

/** Opening it is refused with this code, and a folder is named. */
function refused(at: string, code: string): void {
  try {
    void openHost({ dataDir: at }).host.dispose()
    wrong.push(`${at} was opened`)
  } catch (error) {
    if (codeOf(error) !== code || !String(error).includes(folder)) wrong.push(`opening ended with ${codeOf(error)}: ${String(error)}`)
  }
}

async function full(): Promise<Outcome> {
  const ballast = join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(1024 * 1024))
  const { host } = open()
  let code = 'accepted'
  let from = 0
  for (let times = 0; code === 'accepted' && times < 1000; times += 1) {
    from = performance.now()
    code = await say(host, `${times} `.repeat(5000))
  }
  const detected = performance.now() - from
  if (code !== 'disk.full') wrong.push(`a message on a full disk: ${code}`)
  const notices = host.snapshot().notices.map((notice) => (notice.kind === 'error' ? notice.error.code : notice.kind))
  if (!notices.includes('disk.full')) wrong.push(`the page is told: ${notices.join()}`)

  const file = join(dataDir, 'servers.json')
  const before = readFileSync(file, 'utf8')
  const saved = await host.request('config.save', { text: `// ${'x'.repeat(900_000)}\n${before}` }).then(() => 'accepted', codeOf)
  if (saved !== 'disk.full') wrong.push(`saving the servers file: ${saved}`)
  if (readFileSync(file, 'utf8') !== before) wrong.push('the servers file is not as it was')

  rmSync(ballast)
  const again = await say(host, 'There is room again.')
  if (again !== 'accepted') wrong.push(`a message once there was room: ${again}`)
  await host.dispose()
  const next = open()
  const lost = await countLost(next.host)
  await next.host.dispose()
  return { detected, lost, wrong }
}

async function readOnly(): Promise<Outcome> {
  const remount = (how: 'ro' | 'rw'): Buffer => execFileSync('mount', ['-o', `remount,${how}`, folder])
  const first = open()
  await say(first.host, 'Remember this.')
  await first.host.dispose()
  remount('ro')
  const from = performance.now()
  refused(dataDir, 'profile.unwritable')
  const detected = performance.now() - from
  refused(join(folder, 'another'), 'profile.unwritable')
  remount('rw')
  const next = open()
  const lost = await countLost(next.host)
  await next.host.dispose()
  return { detected, lost, wrong }
}

process.stdout.write(`${JSON.stringify(await (mode === 'full' ? full() : readOnly()))}\n`)
