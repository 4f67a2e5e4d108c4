// Every command while it runs: argument lists of all that it starts, files that others could read, and each listener, tried from
// another account of the machine. Written from the promise, not from the code.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliBench } from '#main/shell/cli/cli.testing.ts'
import { say } from '../../../model-server/reply.ts'
import { startModelServer } from '../../../model-server/server.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import { type Attack, same, unless } from '../../attack.ts'
import { entryOf, startPuppet } from '../../puppet.ts'
import { childrenOf, inLists, type Run, watched, watchedRow } from '../outsiders/argument-lists.ts'
import { speaker } from '../outsiders/speaking-servers.ts'

const value = 'sk-live-9876543210zyxwvutsrqpo'
const modelKey = 'sk-ant-abcdefghij0123456789klm'

/** Files below the folder that others could read by their own mode, and that hold one of the words. */
const openFiles = (folder: string, words: readonly string[]): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && (statSync(path).mode & 0o044) !== 0)
    .filter((path) => words.some((word) => readFileSync(path).includes(word)))
    .map((path) => `others can read it in ${path}`)

const chats = JSON.stringify([
  {
    uuid: '0c6ba51c-0000-4000-8000-000000000001',
    name: 'A chat',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    chat_messages: [{ uuid: 'a', sender: 'human', text: 'x', content: [{ type: 'text', text: 'x' }], created_at: '2026-01-01T00:00:00Z' }],
  },
])

const commands: Readonly<Record<string, (bench: CliBench, config: string) => readonly string[]>> = {
  servers: () => ['servers'],
  tools: () => ['tools', 's'],
  call: () => ['call', 's', 'say', '{}'],
  read: () => ['read', 's', 'memo://x'],
  prompt: () => ['prompt', 's', 'p'],
  doctor: () => ['doctor', 's'],
  chat: () => ['chat', '-p', 'hello', '--model', 'claude-large-1'],
}
const withoutServer: Readonly<Record<string, (bench: CliBench, config: string) => readonly string[]>> = {
  audit: () => ['audit'],
  export: () => ['export', '--all'],
  import(bench) {
    const file = join(bench.folder, 'chats.json')
    writeFileSync(file, chats)
    return ['import', file]
  },
  'import --from': (_bench, config) => ['import', '--from', config, '--approve', 'all'],
  'secret list': (_bench, config) => ['secret', 'list', '--config', config],
  'secret remove': (_bench, config) => ['secret', 'remove', 's', 'token', '--config', config],
  'model list': () => ['model', 'list'],
  'model add': () => ['model', 'add', 'mine', '--url', 'http://127.0.0.1:9/v1', '--unchecked', '--key-env', 'ANTHROPIC_API_KEY'],
}

const command = (name: string, args: (bench: CliBench, config: string) => readonly string[], starts: boolean): Attack =>
  watchedRow(`while ${name} runs, no list holds a server’s value or the model’s key`, async (bench) => {
    const model = await startModelServer({ script: () => say('hi') })
    const puppet = await startPuppet('s', speaker('PWN'), () => {})
    try {
      const config = bench.config({
        s: { ...entryOf(puppet), env: { API_TOKEN: `\${input:token}` } },
        h: { url: `${model.url}/mcp`, headers: { authorization: `Bearer \${input:token}` } },
      })
      const line = [...args(bench, config), ...(starts ? ['--config', config, '--approve', 'all'] : [])]
      const run = await watched(bench, line, {
        env: {
          ASSENT_INPUT_TOKEN: value,
          ANTHROPIC_API_KEY: modelKey,
          ANTHROPIC_BASE_URL: model.url,
          DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
        },
      })
      return [
        ...inLists(run, value),
        ...inLists(run, modelKey),
        ...openFiles(join(bench.folder, 'data'), [value, modelKey]),
        ...openFiles(join(bench.folder, 'tmp'), [value, modelKey]),
        ...unless(
          run.seen.some((list) => list.includes(starts ? 'relay.ts' : (line[0] ?? ''))),
          `control: it was not seen: ${run.stdout}${run.stderr}`,
        ),
      ]
    } finally {
      await puppet.close()
      await model.close()
    }
  })

/** A container’s variables: the program is handed them by name. */
const container = watchedRow('a container’s variable', async (bench) => {
  const bin = join(bench.folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/sh\nprintf '%s\\n' "docker $*" >> "${bench.folder}/tools.txt"\n[ "$1" = run ] && sleep 2\nexit 1\n`,
  )
  chmodSync(join(bin, 'docker'), 0o755)
  const config = bench.config({
    s: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'API_TOKEN', 'acme/notes:1.0'], env: { API_TOKEN: `\${input:token}` } },
  })
  const run = await watched(bench, ['doctor', 's', '--config', config, '--approve', 'all'], {
    env: { ASSENT_INPUT_TOKEN: value, ASSENT_NO_KEYRING: '1' },
  })
  return [
    ...inLists(run, value),
    ...unless(
      [...run.tools, ...run.seen].some((list) => /docker run/.test(list)),
      `control: it was not started: ${run.stdout}${run.stderr}`,
    ),
  ]
})

const page = /(http:\/\/\S+\/authorize\?\S+)/
const signIn = (name: string, oauth: object, ring: boolean): Attack =>
  watchedRow(name, async (bench) => {
    const tracker = await rawResource()
    try {
      const config = bench.config({ tracker: { url: tracker.url, oauth } })
      let listening: readonly string[] = []
      const run = await watched(
        bench,
        ['call', 'tracker', 'echo', '{}', '--config', config, '--approve', 'all', '--data-dir', join(bench.folder, 'data')],
        {
          env: { ASSENT_INPUT_SECRET: value, ...(ring ? { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } : { ASSENT_NO_KEYRING: '1' }) },
          until: ({ stderr, stdout }) => page.test(`${stderr}${stdout}`),
          settle: 8000,
          async during(pid, { stderr, stdout }) {
            listening = await refusals(pid)
            await fetch(page.exec(`${stderr}${stdout}`)?.[1] ?? '').catch(() => undefined)
          },
        },
      )
      const asked = tracker.issuer.asked
      const token =
        tracker
          .presented('tools/call')
          .find((one) => one !== undefined)
          ?.replace('Bearer ', '') ?? ''
      const words = [
        token,
        ...asked.flatMap(({ form, query, headers }) => [
          form.get('code'),
          form.get('code_verifier'),
          form.get('client_secret'),
          query.get('state'),
          form.get('refresh_token'),
          headers.authorization,
        ]),
      ].filter((word): word is string => typeof word === 'string' && word.length > 8)
      return [
        ...words.flatMap((word) => inLists(run, word)),
        ...('clientSecret' in oauth ? inLists(run, value) : []),
        ...openFiles(join(bench.folder, 'data'), words),
        ...openFiles(join(bench.folder, 'tmp'), words),
        ...listening,
        ...unless(token.length > 8, `control: it was never signed in: ${run.stdout}${run.stderr}`),
      ]
    } finally {
      await tracker.close()
    }
  })

interface Listener {
  readonly address: string
  readonly port: number
}
/** What the processes below this one listen on: ports, and sockets by a path or an abstract name. */
function listenersOf(pid: number): { readonly ports: readonly Listener[]; readonly sockets: readonly string[] } {
  const inodes = new Set<string>()
  for (const one of childrenOf(pid))
    try {
      for (const fd of readdirSync(`/proc/${one}/fd`)) {
        const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${one}/fd/${fd}`)) ?? []
        if (inode !== undefined) inodes.add(inode)
      }
    } catch {
      // The process has ended.
    }
  const lines = (file: string): string[][] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
  const ports = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    lines(file)
      .filter((line) => line[3] === '0A' && inodes.has(line[9] ?? ''))
      .map((line) => {
        const [address = '', port = ''] = (line[1] ?? '').split(':')
        return { address, port: Number.parseInt(port, 16) }
      }),
  )
  const sockets = lines('/proc/net/unix')
    .filter((line) => line[3] === '00010000' && inodes.has(line[6] ?? ''))
    .map((line) => line[7] ?? '')
  return { ports, sockets }
}

const nobody = 65_534
/** Asks as another account. Returns the first line of the answer; 'closed' without one. */
async function askAs(uid: number, port: number): Promise<string> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port} || exit 0; printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n\\r\\n' >&3; timeout 3 head -n1 <&3`
  const child = spawn('/bin/bash', ['--norc', '-c', script], {
    uid,
    gid: uid,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('latin1').on('data', (more) => (text += more))
  await once(child, 'close')
  return text.trim() === '' ? 'closed' : text.trim()
}

/** What of its listeners is not as promised: bound beyond this computer, or open to another account. */
async function refusals(pid: number): Promise<string[]> {
  const { ports, sockets } = listenersOf(pid)
  const wrong = ports
    .filter(({ address }) => address !== '0100007F' && !address.endsWith('01000000'))
    .map(({ address, port }) => `it listens on ${address}:${port}`)
  for (const { port } of ports) {
    const [theirs, ours] = [await askAs(nobody, port), await askAs(0, port)]
    if (theirs !== 'closed' && !theirs.includes(' 403')) wrong.push(`another account is answered at ${port}: ${theirs}`)
    if (ours === theirs && ours !== 'closed') wrong.push(`control: so is this one: ${ours}`)
  }
  for (const socket of sockets) {
    if (socket === '' || socket.startsWith('@')) wrong.push(`a socket that every account can connect to: ${socket}`)
    else if ((statSync(join(socket, '..')).mode & 0o077) !== 0) wrong.push(`the folder of ${socket} is open to others`)
  }
  return ports.length + sockets.length > 0 ? wrong : [...wrong, 'control: it listens on nothing']
}
const canSwitch = process.getuid?.() === 0

const serving = watchedRow('serve, and a command that joins it: lists, files and listeners', async (bench) => {
  const model = await startModelServer({ script: () => say('hi') })
  try {
    const data = join(bench.folder, 'data')
    let wrong: readonly string[] = []
    const joined: Run[] = []
    const env = { ANTHROPIC_API_KEY: modelKey, ANTHROPIC_BASE_URL: model.url, ASSENT_NO_KEYRING: '1' }
    const run = await watched(bench, ['serve', '--port', '0', '--data-dir', data], {
      env,
      until: ({ stdout }) => stdout.includes('token='),
      settle: 15_000,
      async during(pid) {
        if (canSwitch) wrong = await refusals(pid)
        joined.push(await watched(bench, ['chat', '-p', 'hello', '--model', 'claude-large-1', '--data-dir', data], { env }))
      },
    })
    const join1 = join(data, 'join.json')
    const words = [modelKey, /token=([\w-]+)/.exec(run.stdout)?.[1] ?? 'none']
    return [
      ...wrong,
      ...[run, ...joined].flatMap((one) => words.flatMap((word) => inLists(one, word))),
      ...openFiles(data, words),
      ...unless(!existsSync(join1) || (statSync(join1).mode & 0o077) === 0, 'join.json is open to others'),
      ...same('control: the command that joined', joined[0]?.code, 0),
      ...unless(model.requests.length > 0, 'control: no model was asked'),
    ]
  } finally {
    await model.close()
  }
})

export const processLists: readonly Attack[] = [
  ...Object.entries(commands).map(([name, args]) => command(name, args, true)),
  ...Object.entries(withoutServer).map(([name, args]) => command(name, args, false)),
  container,
  signIn('a whole sign-in, without a keyring: code, verifier, state and tokens', {}, false),
  signIn('a whole sign-in, with a client secret and a keyring’s tool', { clientId: 'assent', clientSecret: `\${input:secret}` }, true),
  serving,
]
