// What every account of the machine can read: the arguments of each process. A command is run as the person runs it, with a
// browser opener and a keyring tool of the attack's on the PATH, and all that is started is read from /proc while it runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CliBench, makeCliBench, withoutSandbox } from '#main/shell/cli/cli.testing.ts'
import { buildIfNeeded } from '../../../../scripts/build-if-needed.ts'
import { say } from '../../../model-server/reply.ts'
import { startModelServer } from '../../../model-server/server.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import { result } from '../../../servers/http/raw-http.ts'
import { type Attack, same, unless } from '../../attack.ts'
import { entryOf, startPuppet, tool } from '../../puppet.ts'

const family = 'argument lists'
const program = join(import.meta.dirname, '../../../../dist/main/cli.js')

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Argument lists of all that was started below it, each once. */
  readonly seen: readonly string[]
  /** The arguments that each opener and keyring tool was given. */
  readonly tools: readonly string[]
  /** Files that the opener was given, with their modes and contents. */
  readonly handed: readonly { readonly mode: number; readonly folderMode: number; readonly text: string }[]
}

export function childrenOf(pid: number): number[] {
  const found = [pid]
  for (let at = 0; at < found.length; at += 1) {
    try {
      for (const task of readdirSync(`/proc/${found[at]}/task`)) {
        const below = readFileSync(`/proc/${found[at]}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
        found.push(...below.filter((one) => !found.includes(one)))
      }
    } catch {
      // The process has ended.
    }
  }
  return found
}

const openers = [
  'xdg-open',
  'gio',
  'gnome-open',
  'kde-open',
  'x-www-browser',
  'www-browser',
  'firefox',
  'chromium',
  'sensible-browser',
  'wslview',
  'secret-tool',
  'kwallet-query',
]

/** Runs until it ends, or `until` holds of what it wrote; then it is ended. */
export async function watched(
  bench: CliBench,
  args: readonly string[],
  options: {
    env?: Record<string, string>
    stdin?: string
    until?: (run: { stdout: string; stderr: string }) => boolean
    settle?: number
    /** Done once `until` holds, with the process’s id. */
    during?: (pid: number, run: { stdout: string; stderr: string }) => Promise<unknown>
  } = {},
): Promise<Run> {
  await buildIfNeeded()
  const bin = join(bench.folder, 'bin')
  const noted = join(bench.folder, 'tools.txt')
  mkdirSync(bin, { recursive: true })
  for (const name of openers) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nprintf '%s' "${name}" >> "${noted}"\nfor a in "$@"; do printf ' %s' "$a" >> "${noted}"; case "$a" in file://*) f="\${a#file://}"; cp -p "$f" "${bench.folder}/handed.html"; stat -c %a "$(dirname "$f")" > "${bench.folder}/handed.mode";; /*) cp -p "$a" "${bench.folder}/handed.html"; stat -c %a "$(dirname "$a")" > "${bench.folder}/handed.mode";; esac; done\nprintf '\\n' >> "${noted}"\nsleep 1\n`,
    )
    chmodSync(join(bin, name), 0o755)
  }
  const child: ChildProcess = spawn(process.execPath, [program, ...withoutSandbox(args)], {
    cwd: bench.folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: bench.folder,
      DISPLAY: ':99',
      WAYLAND_DISPLAY: 'wayland-9',
      ASSENT_DATA_DIR: join(bench.folder, 'data'),
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const wrote = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (wrote.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (wrote.stderr += text))
  child.stdin?.end(options.stdin ?? '')
  const seen = new Set<string>()
  let ended = false
  const closed = once(child, 'close').then(([code]) => {
    ended = true
    return code as number | null
  })
  const stop = performance.now() + 40_000
  let enough = Number.POSITIVE_INFINITY
  let done: Promise<unknown> | undefined
  while (!ended && performance.now() < Math.min(stop, enough)) {
    for (const pid of childrenOf(child.pid ?? 0)) {
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
      } catch {
        // The process has ended.
      }
    }
    if (enough === Number.POSITIVE_INFINITY && options.until?.(wrote)) {
      enough = performance.now() + (options.settle ?? 3000)
      done = options.during?.(child.pid ?? 0, wrote)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await done
  if (!ended) child.kill('SIGTERM')
  const code = await closed
  const copy = join(bench.folder, 'handed.html')
  return {
    code,
    ...wrote,
    seen: [...seen],
    tools: existsSync(noted) ? readFileSync(noted, 'utf8').split('\n').filter(Boolean) : [],
    handed: existsSync(copy)
      ? [
          {
            mode: statSync(copy).mode & 0o777,
            folderMode: Number.parseInt(readFileSync(join(bench.folder, 'handed.mode'), 'utf8'), 8),
            text: readFileSync(copy, 'utf8'),
          },
        ]
      : [],
  }
}

export const watchedRow = (name: string, play: (bench: CliBench) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  async run() {
    const bench = makeCliBench()
    try {
      return [...(await play(bench))]
    } finally {
      await bench.remove()
    }
  },
})
export const inLists = ({ seen, tools }: Run, secret: string): string[] =>
  [...seen, ...tools].some((list) => list.includes(secret))
    ? [`an argument list holds it: ${[...seen, ...tools].find((list) => list.includes(secret))}`]
    : []

const key = 'sk-live-0123456789abcdefghijkl'

export const argumentLists: readonly Attack[] = [
  watchedRow('the one-time link of serve', async (bench) => {
    const run = await watched(bench, ['serve'], {
      env: { ASSENT_NO_KEYRING: '1' },
      until: ({ stdout }) => stdout.includes('token='),
      settle: 4000,
    })
    const token = /token=([\w-]+)/.exec(run.stdout)?.[1] ?? 'none'
    return [
      ...inLists(run, token),
      ...inLists(run, 'token='),
      ...run.handed.flatMap(({ mode, folderMode }) => [
        ...unless(
          (mode & 0o077) === 0 || (folderMode & 0o077) === 0,
          `the file is open to others: ${mode.toString(8)} in ${folderMode.toString(8)}`,
        ),
      ]),
      ...unless(token.length > 20, `control: no link was made: ${run.stdout} ${run.stderr}`),
      ...unless(run.tools.length > 0, 'control: no opener was started'),
      ...unless(
        run.handed.some(({ text }) => /token=[\w-]{20}/.test(text)),
        'control: what it opened does not lead to the page',
      ),
    ]
  }),
  watchedRow('the state of a sign-in', async (bench) => {
    const tracker = await rawResource()
    try {
      const config = bench.config({ tracker: { url: tracker.url } })
      const run = await watched(bench, ['call', 'tracker', 'echo', '{}', '--config', config, '--approve', 'all'], {
        env: { ASSENT_NO_KEYRING: '1' },
        until: ({ stderr }) => /Open this page: \S+/.test(stderr),
        settle: 3000,
      })
      const url = /Open this page: (\S+)/.exec(run.stderr)?.[1]
      const state = url === undefined ? undefined : (new URL(url).searchParams.get('state') ?? undefined)
      return [
        ...(state === undefined ? [] : inLists(run, state)),
        ...unless(state !== undefined && state.length > 10, `control: no sign-in was begun: ${run.stderr}`),
      ]
    } finally {
      await tracker.close()
    }
  }),
  watchedRow('a key that model add reads', async (bench) => {
    const model = await startModelServer({ script: () => say('hi'), key })
    try {
      const run = await watched(bench, ['model', 'add', 'mine', '--url', `${model.url}/v1`], {
        stdin: `${key}\n`,
        env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
      })
      return [
        ...inLists(run, key),
        ...unless(
          model.listings.some(({ headers }) => JSON.stringify(headers).includes(key)),
          `control: the key was not used: ${run.stderr}`,
        ),
      ]
    } finally {
      await model.close()
    }
  }),
  ...[
    ['a query parameter', ['--query', `key=${key}`]],
    ['a header', ['--header', `x-api-key=${key}`]],
  ].map(([what, more]) =>
    watchedRow(`a key that somebody would type as ${String(what)} of model add`, async (bench) => {
      const model = await startModelServer({ script: () => say('hi') })
      try {
        const add = (name: string, ...options: readonly string[]) =>
          bench.runShared(['model', 'add', name, '--url', `${model.url}/v1`, '--data-dir', join(bench.folder, 'data'), ...options], {
            K: key,
          })
        const [refused, taken] = [await add('one', ...(more as string[])), await add('two', '--query', 'api-version=preview')]
        const files = existsSync(join(bench.folder, 'data'))
          ? readdirSync(join(bench.folder, 'data'), { recursive: true, encoding: 'utf8' })
          : []
        const kept = files
          .map((name) => join(bench.folder, 'data', name))
          .filter((path) => statSync(path).isFile() && readFileSync(path).includes(key))
        return [...same('exit', [refused.code, taken.code], [2, 0]), ...kept.map((path) => `${path} holds it`)]
      } finally {
        await model.close()
      }
    }),
  ),
  watchedRow('a server’s secret among its arguments is warned of', async (bench) => {
    const config = (mcpServers: object, inputs: readonly object[] = []): string => {
      const path = join(bench.folder, `${Object.keys(mcpServers).join('-')}-${inputs.length}.json`)
      writeFileSync(path, JSON.stringify({ inputs, mcpServers }))
      return path
    }
    const warned = async (path: string): Promise<boolean> => {
      const { stderr, stdout } = await bench.runShared(['servers', '--config', path, '--approve', 'none'], { ASSENT_INPUT_TOKEN: key })
      if (`${stdout}${stderr}`.includes(key)) throw new Error('the value is printed')
      return stderr.includes('A secret is an argument')
    }
    const args = ['--token', `\${input:token}`]
    return [
      ...same('warned', await warned(config({ a: { command: 'x', args } })), true),
      ...same('control: of a variable', await warned(config({ b: { command: 'x', env: { T: `\${input:token}` } } })), false),
      ...same(
        'control: of what is no secret',
        await warned(config({ c: { command: 'x', args } }, [{ id: 'token', type: 'promptString' }])),
        false,
      ),
    ]
  }),
  watchedRow('a secret that secret set reads', async (bench) => {
    const data = join(bench.folder, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'servers.json'), JSON.stringify({ mcpServers: { s: { command: 'x', env: { T: `\${input:token}` } } } }))
    const run = await watched(bench, ['secret', 'set', 's', 'token'], { stdin: `${key}\n` })
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(data, name)).isFile())
    return [
      ...inLists(run, key),
      ...files.filter((name) => readFileSync(join(data, name)).includes(key)).map((name) => `the file ${name} holds it`),
      ...unless(
        run.seen.some((list) => list.includes('secret set s token')),
        'control: the lists were not read',
      ),
    ]
  }),
  watchedRow('a server’s variable and a header', async (bench) => {
    const heard: string[] = []
    const puppet = await startPuppet('s', { tools: () => [tool('say')], call: () => 'PWN' }, (effect) => heard.push(effect))
    try {
      const config = bench.config({ s: { ...entryOf(puppet), env: { API_TOKEN: `\${input:token}` } } })
      const run = await watched(bench, ['call', 's', 'say', '{}', '--config', config, '--approve', 'all'], {
        env: { ASSENT_INPUT_token: key, ASSENT_INPUT_TOKEN: key, ASSENT_NO_KEYRING: '1' },
      })
      return [
        ...inLists(run, key),
        ...unless(
          run.seen.some((list) => list.includes('relay.ts')),
          'control: the server was not seen',
        ),
        ...same('control: it ran', heard, ['ran s say {}']),
      ]
    } finally {
      await puppet.close()
    }
  }),
  watchedRow('a variable that chooses the model’s key, in a server that it starts', async (bench) => {
    const model = await startModelServer({ script: () => say('hi') })
    let environment = ''
    const puppet = await startPuppet(
      's',
      {
        tools: () => [tool('say')],
        own: (message, wire) => {
          if (message.method !== 'initialize') return false
          wire.send(
            result(message, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
          )
          for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
            try {
              if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(puppet.path))
                environment += readFileSync(`/proc/${pid}/environ`, 'utf8')
            } catch {
              // Another's.
            }
          }
          return true
        },
      },
      () => {},
    )
    try {
      const config = bench.config({ s: entryOf(puppet) })
      const run = await watched(bench, ['chat', '-p', 'hello', '--config', config, '--approve', 'all'], {
        env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.url, ASSENT_NO_KEYRING: '1' },
      })
      return [
        ...inLists(run, key),
        ...unless(!environment.includes(key), 'the server was handed the model’s key'),
        ...unless(environment.includes('PATH='), 'control: the server’s variables were not read'),
        ...unless(
          model.requests.some(({ headers }) => JSON.stringify(headers).includes(key)),
          `control: the key was not used: ${run.stderr}`,
        ),
      ]
    } finally {
      await puppet.close()
      await model.close()
    }
  }),
]
