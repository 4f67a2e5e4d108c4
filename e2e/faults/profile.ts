// Profiles that cannot be used as they are: a full disk, one that may only be read, files that are damaged or newer, two
// hosts at once. A clear message, the file kept as it was, nothing lost.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type ErrorValue, type HostErrorCode, toErrorValue } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { seeded } from '#app/testing/seeded.ts'
import { type Outcome, since, unless } from './fault.ts'
import { openHost } from './open-host.ts'
import type { RunOptions } from './options.ts'
import { type Hosting, openPage, startWebHost } from './page.ts'
import type { Row } from './row.ts'
import { codeOf } from './stage.ts'

interface Case {
  readonly fault: string
  /** Why it cannot be tried here. */
  readonly cannot?: () => string | undefined
  run(context: { readonly dataDir: string; readonly random: () => number; readonly cache: string }): Promise<Outcome>
}

const words = 'Remember this.'

/** A profile with a conversation and a server in it, left in good order. */
async function fill(dataDir: string): Promise<void> {
  writeFileSync(
    join(dataDir, 'servers.json'),
    JSON.stringify({ mcpServers: { one: { command: 'one' }, two: { command: 'two' } } }, null, 2),
  )
  const { host } = openHost({ dataDir })
  const { conversationId } = await host.request('chat.send', { text: words })
  await host.context.chat.idle(conversationId)
  await host.dispose()
}

async function end({ child, ended }: Hosting): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** A damaged database is told of and left as it is. */
const damaged = (fault: string, code: HostErrorCode, damage: (path: string, random: () => number) => void): Case => ({
  fault,
  async run({ dataDir, random }) {
    await fill(dataDir)
    const path = join(dataDir, 'assent.db')
    damage(path, random)
    const before = readFileSync(path)
    const from = performance.now()
    const said = openingFails(dataDir)
    return {
      detected: since(from),
      wrong: [
        ...unless(said?.code === code, `it said ${said?.code ?? 'nothing'}`),
        ...unless(said?.data?.['path'] === path, 'it did not say which file'),
        ...unless(readFileSync(path).equals(before), 'the file is not as it was'),
      ],
    }
  },
})

/** Undefined: it opened. */
function openingFails(dataDir: string): ErrorValue | undefined {
  try {
    void openHost({ dataDir }).host.dispose()
    return undefined
  } catch (error) {
    return toErrorValue(error)
  }
}

const cutConfig: Case = {
  fault: 'servers file cut at any byte',
  async run({ dataDir, random }) {
    await fill(dataDir)
    const path = join(dataDir, 'servers.json')
    const { length } = readFileSync(path)
    truncateSync(path, 1 + Math.floor(random() * (length - 4)))
    const before = readFileSync(path, 'utf8')
    const from = performance.now()
    const { host } = openHost({ dataDir })
    try {
      const { notices, conversations } = host.snapshot()
      const detected = since(from)
      const definition: ServerDefinition = {
        transport: 'stdio',
        enabled: true,
        start: 'needed',
        trusted: false,
        command: 'three',
        args: [],
        env: {},
      }
      const saved = await host.request('server.save', { name: 'three', definition }).then(() => 'saved', codeOf)
      return {
        detected,
        lost: conversations.length === 1 ? 0 : 1,
        wrong: [
          ...unless(
            notices.some(({ kind }) => kind === 'config'),
            'the page is not told',
          ),
          ...unless(saved === 'config.syntax', `a form over it: ${saved}`),
          ...unless(readFileSync(path, 'utf8') === before, 'the file is not as it was'),
        ],
      }
    } finally {
      await host.dispose()
    }
  },
}

const twoAtOnce: Case = {
  fault: 'two hosts on one profile',
  async run({ dataDir, cache }) {
    await fill(dataDir)
    const first = startWebHost(dataDir, { cache })
    const hosts = [first]
    try {
      const { url = '' } = await first.begun
      const page = await openPage(url, () => undefined)
      const from = performance.now()
      const second = startWebHost(dataDir, { cache })
      hosts.push(second)
      const { error } = await second.begun
      const detected = since(from)
      const { conversations } = await page.request('app.snapshot', {})
      await end(first)
      // The first is gone: of three that come at once, one has it.
      const three = [0, 1, 2].map(() => startWebHost(dataDir, { cache }))
      hosts.push(...three)
      const answers = await Promise.all(three.map(({ begun }) => begun))
      const open = answers.filter((answer) => answer.url !== undefined)
      const locked = answers.filter((answer) => answer.error?.code === 'profile.locked')
      return {
        detected,
        lost: conversations.length === 1 ? 0 : 1,
        wrong: [
          ...unless(error?.code === 'profile.locked', `the second said ${JSON.stringify(error)}`),
          ...unless(error?.data?.['pid'] === first.child.pid, 'the second did not say which process has it'),
          ...unless(open.length === 1 && locked.length === 2, `of three, ${open.length} began and ${locked.length} found it locked`),
        ],
      }
    } finally {
      await Promise.all(hosts.map(end))
    }
  },
}

/** Its own disk of a few megabytes, in a mount namespace that goes with the process. */
const namespace = ['-Umr', '/bin/sh', '-c', 'mount -t tmpfs -o size=6m none "$1" && shift && exec "$@"', 'sh']

function cannotMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'assent-fault-'))
  try {
    execFileSync('unshare', [...namespace, folder, 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'a disk of its own cannot be mounted here (unshare -Umr)'
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onSmallDisk = (fault: string, mode: 'full' | 'read-only'): Case => ({
  fault,
  cannot: cannotMount,
  async run({ dataDir, cache }) {
    const command = [...namespace, dataDir, process.execPath, join(import.meta.dirname, 'small-disk.ts'), mode, dataDir]
    const { stdout } = await promisify(execFile)('unshare', command, {
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
      timeout: 120_000,
    })
    return JSON.parse(stdout) as Outcome
  },
})

const cases: readonly Case[] = [
  twoAtOnce,
  onSmallDisk('disk full', 'full'),
  onSmallDisk('disk that may only be read', 'read-only'),
  damaged('database cut at any byte', 'profile.corrupt', (path, random) =>
    truncateSync(path, 1 + Math.floor(random() * (readFileSync(path).length - 1))),
  ),
  damaged('database overwritten from its beginning', 'profile.corrupt', (path, random) => {
    const bytes = readFileSync(path)
    const count = 16 + Math.floor(random() * (bytes.length - 16))
    for (let at = 0; at < count; at += 1) bytes[at] = Math.floor(random() * 256)
    writeFileSync(path, bytes)
  }),
  damaged('database of a newer version', 'profile.newer', (path, random) => {
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA user_version = ${1000 + Math.floor(random() * 1000)}`)
    database.close()
  }),
  cutConfig,
]

/** Each a tenth of what was asked for, one repetition after another. */
export const profileGroups = (options: RunOptions) =>
  cases.map(({ fault, cannot, run }) => ({
    name: `profile: ${fault}`,
    async run(): Promise<Row[]> {
      const reps = Math.max(1, Math.floor(options.reps / 10))
      const detected: number[] = []
      const wrong: string[] = []
      let lost = 0
      const skipped = cannot?.()
      if (skipped !== undefined) return [{ fault, reps: 0, detected, lost, orphans: 0, wrong, skipped }]
      for (let rep = 0; rep < reps; rep += 1) {
        const dataDir = mkdtempSync(join(tmpdir(), 'assent-fault-'))
        try {
          const outcome = await run({ dataDir, random: seeded(options.seed + rep), cache: options.cache })
          if (outcome.detected !== undefined) detected.push(outcome.detected)
          wrong.push(...outcome.wrong)
          lost += outcome.lost ?? 0
          if (outcome.lost) wrong.push('something is not there any more')
        } catch (error) {
          wrong.push(`repetition ${rep}: ${error instanceof Error ? error.message : String(error)}`)
        } finally {
          rmSync(dataDir, { recursive: true, force: true })
        }
      }
      return [{ fault, reps, detected, lost, orphans: 0, wrong }]
    },
  }))
