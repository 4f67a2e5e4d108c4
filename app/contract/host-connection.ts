// The wire between page and host, the same in every shell: Electron's IPC carries these objects, the web shell's
// WebSocket carries them as JSON text.
import { z } from 'zod'
import type { ErrorValue } from '../errors.ts'
import type { ShellCommand } from './channels.ts'
import type { HostEvent } from './events.ts'
import type { RequestName, RequestParams, RequestResult } from './requests.ts'

/** Page → host. `name` and `params` are checked by the host against the contract. */
export const requestFrame = z.object({ kind: z.literal('request'), id: z.number().int(), name: z.string().max(100), params: z.unknown() })

/**
 * Page → host, in the web shell only: the first frame of every socket. A cookie goes to every port of this machine; the
 * key stays with the origin, so whoever was merely sent the cookie cannot say it.
 */
export const helloFrame = z.object({ kind: z.literal('hello'), key: z.string().max(200) })
export type HelloFrame = z.infer<typeof helloFrame>

/** Host → page. `welcome` answers the hello; nothing comes before it. */
export type HostFrame =
  | { readonly kind: 'welcome' }
  | { readonly kind: 'response'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorValue }
  | { readonly kind: 'event'; readonly event: HostEvent }

/** Where the web shell takes the page's WebSocket. One JSON frame a message, both ways. */
export const connectionPath = '/link'
/**
 * What a page asks (GET, same origin) when its WebSocket was closed before the welcome, since a browser does not tell why:
 * 204: the cookie is good, try again; 401: the host no longer knows this page.
 */
export const connectionProbePath = '/link/probe'

/** The page's key, in the fragment of the address that a one-time link leads to. The page takes it out at once. */
export const keyFragment = '#key='
/** Code and reason of a socket that is closed because its hello had the wrong key, or none: trying again is of no use. */
export const refusedHello = { code: 1008, reason: 'not a page of this host' } as const

/** What a page has of its host. Implemented over the preload bridge and over a WebSocket. */
export interface HostConnection {
  /** Rejects with a HostError (`link.closed` when the host went away before it answered). */
  request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>>
  /** Returns its undo. */
  onEvent(listener: (event: HostEvent) => void): () => void
  /** `closed` until connected and after a loss; it reconnects by itself. Returns its undo. */
  onStatus(listener: (status: ConnectionStatus) => void): () => void
}
/** `refused`: the host is there but does not know this page (no cookie or no key of its own); a new link is needed. */
export type ConnectionStatus = 'connecting' | 'open' | 'closed' | 'refused'

/** The one object that the preload puts on the page's `window`, as `window.assent`. */
export interface PreloadBridge {
  readonly request: (name: string, params: unknown) => Promise<{ readonly result: unknown } | { readonly error: ErrorValue }>
  readonly onEvent: (listener: (event: HostEvent) => void) => () => void
  /** What the person chose in the menu or by a notification. Returns its undo. */
  readonly onCommand?: (listener: (command: ShellCommand) => void) => () => void
}
