import { createStore } from 'zustand/vanilla'
import type { LogLine } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'

export interface ResourceUpdates {
  readonly times: number
  /** Time of the latest, milliseconds since the epoch. */
  readonly last: number
}

export interface ServersState {
  /** Servers in the order of the config file. */
  readonly list: readonly ServerSummary[]
  /** Lines of each server's log since the page connected; earlier ones come from `server.log`. */
  readonly logs: Readonly<Record<string, { readonly lines: readonly LogLine[]; readonly dropped: number }>>
  /** Updates by server, then by URI. */
  readonly updates: Readonly<Record<string, Readonly<Record<string, ResourceUpdates>>>>
}

const maxLiveLines = 2000

export const createServersStore = () => createStore<ServersState>(() => ({ list: [], logs: {}, updates: {} }))

export function withServer(state: ServersState, server: ServerSummary): ServersState {
  const known = state.list.some((one) => one.name === server.name)
  return { ...state, list: known ? state.list.map((one) => (one.name === server.name ? server : one)) : [...state.list, server] }
}

export function withoutServer(state: ServersState, name: string): ServersState {
  const { [name]: _log, ...logs } = state.logs
  const { [name]: _updates, ...updates } = state.updates
  return { list: state.list.filter((one) => one.name !== name), logs, updates }
}

export function withUpdate(state: ServersState, name: string, uri: string, at: number): ServersState {
  const before = state.updates[name] ?? {}
  const seen: ResourceUpdates = { times: (before[uri]?.times ?? 0) + 1, last: at }
  return { ...state, updates: { ...state.updates, [name]: { ...before, [uri]: seen } } }
}

export function withLogLines(state: ServersState, name: string, lines: readonly LogLine[], dropped: number): ServersState {
  const before = state.logs[name]?.lines ?? []
  return { ...state, logs: { ...state.logs, [name]: { lines: [...before, ...lines].slice(-maxLiveLines), dropped } } }
}
