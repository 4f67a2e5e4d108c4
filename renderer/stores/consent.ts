import { createStore } from 'zustand/vanilla'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rule.ts'

export interface ConsentState {
  /** What waits for the person, oldest first. */
  readonly requests: readonly ConsentRequest[]
  readonly rules: readonly Rule[]
}

export const createConsentStore = () => createStore<ConsentState>(() => ({ requests: [], rules: [] }))

export function withRequest(state: ConsentState, request: ConsentRequest): ConsentState {
  const known = state.requests.some((one) => one.id === request.id)
  const requests = known ? state.requests.map((one) => (one.id === request.id ? request : one)) : [...state.requests, request]
  return { ...state, requests }
}

export function withoutRequest(state: ConsentState, id: string): ConsentState {
  return { ...state, requests: state.requests.filter((one) => one.id !== id) }
}
