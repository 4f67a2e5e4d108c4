// A page without a window: a host in a process of its own, signed in to and spoken with over its WebSocket.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HostEvent } from '#app/contract/events.ts'
import type { HostFrame } from '#app/contract/host-connection.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import { type ErrorValue, fromErrorValue } from '#app/errors.ts'
import { openWelcome } from '../attacks/link-client.ts'
import { signIn } from '../attacks/web-shell-fixture.ts'

export interface Hosting {
  readonly child: ChildProcess
  /** Resolves with the first line that it prints, `{}` when it ended before. */
  readonly begun: Promise<{ readonly url?: string; readonly error?: ErrorValue }>
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>
}

/** `cache`: a folder for what Node makes of our sources. */
export function startWebHost(dataDir: string, { cache, env = {} }: { cache: string; env?: Readonly<Record<string, string>> }): Hosting {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'web-host.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, NODE_COMPILE_CACHE: cache },
  })
  const ended = once(child, 'exit').then(() => undefined)
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line').then(([line]) => JSON.parse(String(line)) as object)
  return { child, begun: Promise.race([first, ended.then(() => ({}))]), ended }
}

export interface Page {
  request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>>
  /** Resolves when the host is gone and all that it had said has been read. */
  readonly closed: Promise<void>
  close(): void
}

/** Requests that are open when the host goes are never answered. */
export async function openPage(url: string, onEvent: (event: HostEvent) => void): Promise<Page> {
  const port = Number(new URL(url).port)
  const session = await signIn({ port, newLink: () => url })
  const socket = await openWelcome({ port, ...session })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.on('error', () => undefined) // It is closed then, too.
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as HostFrame
    if (frame.kind === 'event') onEvent(frame.event)
    else if (frame.kind === 'response') waiting.get(frame.id)?.resolve(frame.result)
    else if (frame.kind === 'failure') waiting.get(frame.id)?.reject(fromErrorValue(frame.error))
  })
  let next = 0
  return {
    request(name, params) {
      next += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(next, answer)
      socket.send(JSON.stringify({ kind: 'request', id: next, name, params }))
      return answer.promise as ReturnType<Page['request']> as never
    },
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.terminate(),
  }
}
