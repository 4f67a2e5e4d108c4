// An agent of an attack: `assent mcp` in a process of its own, spoken to by hand. Beside it a host that listens for commands, with puppets.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type GateClientDraft, gateTokenVariable } from '#app/gate.ts'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { entry } from '#main/shell/cli/cli.testing.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import { type Cast, onStage, type Stage, type StageOptions, until } from './stage.ts'

/** Version of the command, which the host has to be of too. */
export const version = '0.1.0'

interface AgentOptions {
  readonly token: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly clientInfo?: JsonObject
  readonly capabilities?: JsonObject
  /** What it answers when it is asked; undefined: nothing. */
  answer?(method: string, params: JsonObject): JsonObject | undefined
}

interface Reply {
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Agent {
  readonly child: ChildProcessWithoutNullStreams
  /** All messages that came, as JSON. */
  readonly heard: readonly JsonObject[]
  /** Words on stderr. */
  stderr(): string
  /** Bytes as they are. */
  write(text: string): void
  /** Sends a request and resolves with its answer; undefined: none came before the process ended or ten seconds passed. */
  ask(method: string, params?: JsonObject, id?: string | number): Promise<Reply | undefined>
  tell(method: string, params?: JsonObject): void
  call(name: string, args?: JsonObject): Promise<Reply | undefined>
  toolNames(): Promise<string[]>
  end(): Promise<void>
}

export interface GateStage extends Stage {
  readonly dataDir: string
  add(draft?: Partial<GateClientDraft>): Promise<{ readonly id: string; readonly token: string }>
  /** Resolves once it has said hello, or has been turned away. */
  agent(options: AgentOptions): Promise<Agent>
}

const waitMs = 60_000

function startAgent({ token, cwd, env, args = [], answer }: AgentOptions, dataDir: string, home: string): Agent {
  const child = spawn(process.execPath, [entry, 'mcp', '--data-dir', dataDir, ...args], {
    cwd: cwd ?? home,
    env: {
      PATH: process.env['PATH'] ?? '',
      ASSENT_NO_KEYRING: '1',
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      [gateTokenVariable]: token,
      ...env,
    },
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    words += more
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined)))
  const heard: JsonObject[] = []
  const waiting = new Map<unknown, (reply: Reply) => void>()
  const write = (text: string): void => void child.stdin.write(text)
  const send = (message: object): void => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as JsonObject
    heard.push(message)
    if (typeof message['method'] !== 'string') waiting.get(message['id'])?.(message as Reply)
    else if (message['id'] !== undefined) {
      const result = answer?.(message['method'], (message['params'] ?? {}) as JsonObject)
      if (result) send({ id: message['id'], result })
    }
  })
  let last = 0
  const ask: Agent['ask'] = (method, params = {}, id = `a${last++}`) => {
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, waitMs, undefined).unref())
    return Promise.race([reply, ended, late])
  }
  return {
    child,
    heard,
    stderr: () => words,
    write,
    ask,
    tell: (method, params = {}) => send({ method, params }),
    call: (name, args = {}) => ask('tools/call', { name, arguments: args }),
    async toolNames() {
      const reply = await ask('tools/list')
      return ((reply?.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name)
    },
    async end() {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) child.kill()
      await ended
    },
  }
}

/** A stage whose host listens for agents. */
export const onGate = (
  cast: () => Cast,
  play: (stage: GateStage) => Promise<readonly string[]>,
  options?: StageOptions,
): Promise<string[]> =>
  onStage(
    cast,
    async (stage) => {
      const { host, dataDir } = stage.test
      const listening = await listenForCommands({ host: async () => host, dataDir, version, log: silentLog, clock: systemClock })
      const agents: Agent[] = []
      try {
        return await play({
          ...stage,
          dataDir,
          async add(draft = {}) {
            const { client, token } = await host.request('gate.add', { draft: { name: 'Code', servers: ['bank'], ...draft } })
            return { id: client.id, token }
          },
          async agent(given) {
            if (given.cwd) mkdirSync(given.cwd, { recursive: true })
            const agent = startAgent(given, dataDir, stage.folder)
            agents.push(agent)
            await agent.ask('initialize', {
              protocolVersion: '2025-06-18',
              capabilities: given.capabilities ?? {},
              clientInfo: given.clientInfo ?? { name: 'agent', version: '1' },
            })
            agent.tell('notifications/initialized')
            return agent
          },
        })
      } finally {
        await Promise.all(agents.map((agent) => agent.end()))
        await listening.close()
      }
    },
    options,
  )

/** The question that waits, once there is one. */
export async function waits(stage: Stage, kind = 'tool-call'): Promise<string> {
  const found = () => stage.host.context.broker.open().find((request) => request.kind === kind)
  await until(`a question: ${kind}`, () => found() !== undefined)
  return found()?.id ?? ''
}
