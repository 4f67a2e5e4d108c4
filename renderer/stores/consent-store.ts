import { createStore } from 'zustand/vanilla'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { ConsentEnd } from '#app/consent/request-ending.ts'
import type { Rule } from '#app/consent/rules/rule.ts'

/** A request that this page showed and that has ended. */
export interface EndedRequest {
  readonly request: ConsentRequest
  /** Undefined: the request was gone when the connection came back. */
  readonly end: ConsentEnd | undefined
}

export interface ConsentState {
  /** Open requests, oldest first. */
  readonly requests: readonly ConsentRequest[]
  readonly rules: readonly Rule[]
  /** Ended requests, oldest first, until the person removes them. */
  readonly ended: readonly EndedRequest[]
  readonly answered: ReadonlySet<string>
}

/** Limit of ended requests; more would bury the open ones. */
const mostEnded = 20

export const createConsentStore = () => createStore<ConsentState>(() => ({ requests: [], rules: [], ended: [], answered: new Set() }))

export function withRequest(state: ConsentState, request: ConsentRequest): ConsentState {
  const known = state.requests.some((one) => one.id === request.id)
  const requests = known ? state.requests.map((one) => (one.id === request.id ? request : one)) : [...state.requests, request]
  return { ...state, requests }
}

export function withEnd(state: ConsentState, id: string, end: ConsentEnd | undefined): ConsentState {
  const ended = state.requests.filter((one) => one.id === id).map((request) => ({ request, end }))
  return {
    ...state,
    requests: state.requests.filter((one) => one.id !== id),
    ended: [...state.ended, ...ended].slice(-mostEnded),
  }
}

/** Replaces the open requests after a time without events; those that are missing have ended. */
export function withRequests(state: ConsentState, requests: readonly ConsentRequest[]): ConsentState {
  const open = new Set(requests.map(({ id }) => id))
  const ended = state.requests.filter(({ id }) => !open.has(id))
  return { ...ended.reduce((all, { id }) => withEnd(all, id, undefined), state), requests }
}

/** Notes or, where another answer came first (`counted` is false), withdraws that this page answered. */
export function withAnswered(state: ConsentState, id: string, counted: boolean): ConsentState {
  const answered = new Set(state.answered)
  if (counted) answered.add(id)
  else answered.delete(id)
  return { ...state, answered }
}

export const withoutEnded = (state: ConsentState, id: string): ConsentState => ({
  ...state,
  ended: state.ended.filter(({ request }) => request.id !== id),
})

/** Ended requests that this page did not answer. */
export const endedElsewhere = ({ ended, answered }: ConsentState): EndedRequest[] =>
  ended.filter(({ request }) => !answered.has(request.id))
