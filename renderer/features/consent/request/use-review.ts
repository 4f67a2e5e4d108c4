// The request of a chat whose sheet is open: the one in the address. The sheet closes when the request ends; once it was answered here,
// the next request of the chat takes its place.
import { useLayoutEffect, useRef } from 'react'
import type { ConsentRequest, ConsentRequestOf, FormStep } from '#app/consent/request.ts'
import { focusComposer, focusRequest, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate, useRoute } from '#renderer/router.ts'
import { useConsent, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { type AnswerFollower, focusAfter } from './use-answer.ts'

/** Keeps one request of each group of forms: the shown step, else the first. */
export function oneOfEachForm<T extends { readonly id: string; readonly step?: FormStep | undefined }>(
  requests: readonly T[],
  shown: string | undefined,
): T[] {
  const standsFor = new Map<string, string>()
  for (const { id, step } of requests) if (step && (id === shown || !standsFor.has(step.group))) standsFor.set(step.group, id)
  return requests.filter(({ id, step }) => step === undefined || standsFor.get(step.group) === id)
}

/** The request after `id` that still waits, else the first that waits. `before`: the order when `id` still waited. */
export function nextAfter(before: readonly string[], id: string, waiting: readonly string[]): string | undefined {
  const open = waiting.filter((one) => one !== id)
  const after = before.slice(before.indexOf(id) + 1)
  return after.find((one) => open.includes(one)) ?? open[0]
}

/** The neighbours in a ring: of two requests, both are the other one. */
export function neighboursOf(waiting: readonly string[], id: string): { readonly previous: string; readonly next: string } | undefined {
  const at = waiting.indexOf(id)
  const [previous, next] = [waiting.at(at - 1), waiting[(at + 1) % waiting.length]]
  return at < 0 || waiting.length < 2 || previous === undefined || next === undefined ? undefined : { previous, next }
}

type ReviewableRequest = ConsentRequestOf<'tool-call' | 'elicitation-form'>

const reviewable = (request: ConsentRequest, conversationId: string): request is ReviewableRequest =>
  (request.kind === 'tool-call' || request.kind === 'elicitation-form') && request.conversationId === conversationId

/** The id of the request whose sheet is open on the page. */
export function useReviewedId(): string | undefined {
  const route = useRoute()
  return useConsent((state) =>
    route.page === 'chat' && route.id !== undefined
      ? state.requests.find((one) => one.id === route.review && reviewable(one, route.id ?? ''))?.id
      : undefined,
  )
}

export type Review = NonNullable<ReturnType<typeof useReview>>

/** Frames to wait for the chat: some seconds. */
const PATIENT_FRAMES = 300

/** Moves focus that was in the closed sheet to the card, which may open its editor by itself. */
function returnTo(id: string): void {
  const { activeElement } = document
  if (activeElement !== document.body && !activeElement?.closest(`[data-request~="${CSS.escape(id)}"]`)) return
  // The chat may still be loading. Focus that went elsewhere meanwhile stays there.
  if (!focusRequest(id)) focusSoon(() => focusRequest(id) || document.activeElement !== document.body, PATIENT_FRAMES)
}

export function useReview(conversationId: string) {
  const { consent } = useStores()
  const route = useRoute()
  const asked = route.page === 'chat' && route.id === conversationId ? route.review : undefined
  const requests = useConsent(useShallow((state) => state.requests.filter((one) => reviewable(one, conversationId))))
  const request = requests.find((one) => one.id === asked)
  const waiting = oneOfEachForm(requests, asked).map(({ id }) => id)
  const answered = useRef<string | undefined>(undefined)
  const before = useRef(waiting)
  const shown = useRef<string | undefined>(undefined)

  const go = (review: string | undefined): void =>
    navigate({ page: 'chat', id: conversationId, ...(review !== undefined && { review }) }, { replace: true })

  const end = (id: string): void => {
    const here = answered.current === id
    const next = here ? nextAfter(before.current, id, waiting) : undefined
    go(next)
    if (next !== undefined) return
    if (here) focusSoon(() => focusAfter({ id, conversationId }, consent.getState().requests))
    else if (document.activeElement === document.body) focusSoon(focusComposer)
  }

  useLayoutEffect(() => {
    if (asked !== undefined && !request) end(asked)
    else if (!request && shown.current !== undefined && waiting.includes(shown.current)) returnTo(shown.current)
    before.current = waiting
    shown.current = request?.id
  })

  if (!request) return undefined
  return {
    request,
    /** Ids of the requests of the chat that a sheet can show, oldest first; one of each group of forms. */
    waiting,
    show: (id: string): void => go(id),
    /** Closes the sheet, which decides nothing. */
    close: (): void => go(undefined),
    follower: {
      onSent() {
        answered.current = request.id
      },
      onRefused() {
        answered.current = undefined
      },
    } satisfies AnswerFollower,
  }
}
