// Runs the server that ships with Assent in an Electron utility process, over whose message port it speaks JSON-RPC: the fuse that lets
// Electron run as Node is off, so there is no child with stdin and stdout.
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Transport } from '@modelcontextprotocol/client'
import { utilityProcess } from 'electron'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Exit } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { createListeners } from '#main/base/listeners.ts'
import type { BuiltinLauncher, ServerProcess } from '#main/servers/process/server-process.ts'

/** Milliseconds between the request to end and the kill. */
const grace = 2000
/** Milliseconds that the last output has after the exit, which Electron may tell before it. */
const lastWords = 250
/** Variables that a program needs, and those by which tests control the demo server. */
const passedOn = ['HOME', 'LANG', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'ASSENT_DEMO_STEP_MS'] as const

interface BuiltinOptions {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly kill: (pid: number) => void
}

export const createBuiltinLauncher =
  ({ folder, env, clock, kill }: BuiltinOptions): BuiltinLauncher =>
  (module, extraEnv) => {
    const inherited = Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
    const child = utilityProcess.fork(join(folder, `${module}-server-port.js`), [], {
      env: { ...inherited, ...extraEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
      serviceName: `Assent ${module} server`,
    })
    const { tell, add: onOutput } = createListeners<[source: 'stderr' | 'stdout', line: string]>()
    const output = Promise.all(
      (['stdout', 'stderr'] as const).map((source) => child[source] && splitLines(child[source], (line) => tell(source, line))),
    )

    const { promise: spawned, resolve: onSpawned, reject: onNotSpawned } = Promise.withResolvers<void>()
    const { promise: exited, resolve: onExited } = Promise.withResolvers<Exit>()
    spawned.catch(() => undefined) // `start` of the transport rejects with it.
    let gone = false
    child.once('spawn', onSpawned)
    // V8 gave up, out of memory for instance; the exit follows (docs/api/utility-process.md).
    child.once('error', (type, location) => tell('stderr', `${type} in ${location}`))
    child.once('exit', (code) => {
      gone = true
      onNotSpawned(new HostError('server.exited', t`“${module}” ended with exit code ${code}.`))
      const { promise: late, resolve: onLate } = Promise.withResolvers<void>()
      const cancel = clock.after(lastWords, onLate)
      void Promise.race([output, late]).then(() => {
        cancel()
        onExited({ code, signal: null })
        transport.onclose?.()
      })
    })

    const transport: Transport = {
      async start() {
        // Loaded while the process starts (decision 0044).
        const { parseJSONRPCMessage } = await import('@modelcontextprotocol/client')
        child.on('message', (message: unknown) => {
          try {
            transport.onmessage?.(parseJSONRPCMessage(message))
          } catch (error) {
            transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
          }
        })
        await spawned
      },
      async send(message) {
        if (gone) throw new HostError('server.connection-lost', t`“${module}” ended.`)
        child.postMessage(message)
      },
      close: async () => void (await stop()),
    }

    let stopping = false
    const stop = async (): Promise<Exit> => {
      const force = (): void => {
        if (!gone && child.pid !== undefined) kill(child.pid)
      }
      if (stopping) force()
      else {
        stopping = true
        child.kill()
        const cancel = clock.after(grace, force)
        void exited.then(cancel)
      }
      return exited
    }
    const server: ServerProcess = {
      transport,
      get pid() {
        return child.pid
      },
      onOutput,
      exited,
      stop,
    }
    return server
  }

/** Length of a line in UTF-16 units; longer ones are cut and end with `…`. */
const longestLine = 16_000

/** Calls `onLine` with each line of a stream, the unfinished last one too. Resolves at its end. */
export function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): Promise<void> {
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let cut = false
  const take = (text: string): void => {
    if (!cut) rest += text
    if (rest.length > longestLine) {
      rest = `${rest.slice(0, longestLine)} …`
      cut = true
    }
  }
  const end = (): void => {
    onLine(rest.endsWith('\r') ? rest.slice(0, -1) : rest)
    rest = ''
    cut = false
  }
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    take(first)
    for (const line of others) {
      end()
      take(line)
    }
  })
  stream.on('end', () => {
    if (rest !== '') end()
    onEnd()
  })
  stream.on('error', () => onEnd()) // The process ends; `exit` reports it.
  return ended
}
