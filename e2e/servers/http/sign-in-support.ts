// What the tests of signing in share: a raw server with its issuer, the host's own connection layer on top of them, what
// the person says and where their browser goes, and a clock whose hands can be moved.
import { afterEach, expect } from 'vitest'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import {
  approve,
  closeServers,
  fakeBroker,
  http,
  makeServers,
  memorySecrets,
  type TestServers,
} from '#main/servers/lifecycle/servers.testing.ts'
import { type RawResource, rawResource } from './oauth.ts'
import { type RawIssuer, rawIssuer } from './oauth-issuer.ts'

export const { signal } = new AbortController()
const open: { close(): Promise<void> }[] = []

/** For the top of each file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    expect(await closeServers()).toEqual([])
    await Promise.all(open.splice(0).map((one) => one.close()))
  })
}

export async function serveResource(options: { readonly issuer?: RawIssuer } = {}): Promise<RawResource> {
  const made = await rawResource(options)
  open.push(made)
  return made
}

export async function serveIssuer(options: { readonly path?: string } = {}): Promise<RawIssuer> {
  const made = await rawIssuer(options)
  open.push(made)
  return made
}

export const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })

export interface Signing extends TestServers {
  readonly secrets: ReturnType<typeof memorySecrets>
  /** Everything that a page, the record or the log could show, as one text. */
  shown(): string
  run(tool: string): Promise<unknown>
}

type More = NonNullable<Parameters<typeof makeServers>[1]>

export function host(
  resource: { readonly url: string },
  options: {
    readonly oauth?: OAuthSettings
    readonly headers?: Record<string, string>
    readonly timeoutMs?: number
    readonly transport?: 'sse'
  } & More = {},
): Signing {
  const { oauth, headers, timeoutMs, transport, ...more } = options
  const secrets = (more.secrets as ReturnType<typeof memorySecrets> | undefined) ?? memorySecrets()
  const definition = {
    ...http(resource.url, headers),
    ...(oauth ? { oauth } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(transport ? { transport } : {}),
  }
  const servers = makeServers({ raw: definition }, { ...more, secrets })
  return {
    ...servers,
    secrets,
    shown: () =>
      JSON.stringify([
        servers.views(),
        servers.audit.entries,
        servers.log('raw'),
        servers.broker.signIns.map(({ signal: _, ...rest }) => rest),
      ]),
    async run(tool) {
      const { result } = await servers.call(approve(servers, 'raw', tool), { signal })
      return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text
    },
  }
}

/** Who does not say yes, or not yet. */
export const person = (toSignIn: 'deny' | 'wait') => fakeBroker('allow', toSignIn)

/** Real time, but its hands can be put forward; and what is timed right now is known by its length. */
export function movableClock() {
  let shift = 0
  const running = new Map<object, { readonly ms: number; readonly callback: () => void }>()
  const clock: Clock = {
    now: () => systemClock.now() + shift,
    after(ms, callback) {
      const key = {}
      const cancel = systemClock.after(ms, () => {
        running.delete(key)
        callback()
      })
      running.set(key, { ms, callback })
      return () => {
        running.delete(key)
        cancel()
      }
    },
  }
  return {
    ...clock,
    forward(ms: number) {
      shift += ms
    },
    /** Whether anything is timed by exactly so long. */
    times: (ms: number) => [...running.values()].some((one) => one.ms === ms),
    /** The time of all that is timed so is over. */
    lapse(ms: number) {
      for (const [key, one] of running) {
        if (one.ms !== ms) continue
        running.delete(key)
        one.callback()
      }
    },
  }
}

/** Where the page leads, without going there. */
export async function redirectOf(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}
