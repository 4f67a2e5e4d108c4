// Connection between page and host: Electron's IPC carries these objects, the web shell's WebSocket carries them as JSON text.
import { z } from 'zod'
import type { ErrorValue } from '../errors.ts'
import type { ShellCommand } from './channels.ts'
import type { HostEvent } from './events.ts'
import type { RequestName, RequestParams, RequestResult } from './requests.ts'

/** Page → host. `name` and `params` are checked by the host against the contract. */
export const requestFrame = z.object({ kind: z.literal('request'), id: z.number().int(), name: z.string().max(100), params: z.unknown() })

/**
 * Page → host, first frame of every socket of the web shell. A cookie is sent to every port of this machine; the key stays with the
 * origin, so whoever receives the cookie cannot send it.
 */
export const helloFrame = z.object({ kind: z.literal('hello'), key: z.string().max(200) })
export type HelloFrame = z.infer<typeof helloFrame>

/** Host → page. `welcome` answers the hello; nothing comes before it. */
export type HostFrame =
  | { readonly kind: 'welcome' }
  | { readonly kind: 'response'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorValue }
  | { readonly kind: 'event'; readonly event: HostEvent }

/** Path of the web shell's WebSocket; one JSON frame a message. */
export const connectionPath = '/link'
/** Requested (GET) after a socket closed before the welcome, since browsers hide the reason. 204: cookie valid; 401: unknown page. */
export const connectionProbePath = '/link/probe'

/** Key of the page in the fragment of a one-time link; the page removes it at once. */
export const keyFragment = '#key='
/** Stands behind a key that only its tab may keep: other pages of the origin may be of another program. */
export const tabMark = '.tab'
/** Code and reason of a socket closed for a wrong or missing key; reconnecting is useless. */
export const refusedHello = { code: 1008, reason: 'not a page of this host' } as const

/** The page's connection to its host, over the preload bridge or a WebSocket. */
export interface HostConnection {
  /** @throws {HostError} what the host answered; `link.closed` when it went away before it answered */
  request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>>
  onEvent(listener: (event: HostEvent) => void): () => void
  /** `closed` until connected and after a loss; it reconnects by itself. Returns its undo. */
  onStatus(listener: (status: ConnectionStatus) => void): () => void
}
/** Status. `refused`: the host does not know this page (no cookie or key); a new link is needed. */
export type ConnectionStatus = 'connecting' | 'open' | 'closed' | 'refused'

/** The one object that the preload puts on the page's `window`, as `window.assent`. */
export interface PreloadBridge {
  readonly request: (name: string, params: unknown) => Promise<{ readonly result: unknown } | { readonly error: ErrorValue }>
  readonly onEvent: (listener: (event: HostEvent) => void) => () => void
  /** Listens to commands of the menu or a notification. Returns its undo. */
  readonly onCommand?: (listener: (command: ShellCommand) => void) => () => void
}
