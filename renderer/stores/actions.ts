// Requests of the page to the host. Actions never edit host facts: the host's events do. A failure shows a toast but in `attempt`.
import type { StoreApi } from 'zustand/vanilla'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { endLabel } from '#app/consent/request-ending.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import { describeError, type ErrorValue, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Settings } from '#app/settings.ts'
import { type ConsentState, withAnswered } from './consent-store.ts'
import { announce, showToast, type ToastOptions, type ViewStore } from './view-state.ts'

/**
 * Copies to the clipboard; false: not allowed. Electron's shell grants the page no permission, so the older command serves there:
 * it needs none, but works only shortly after the person's click.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let copied = false
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    copied = event.clipboardData !== null
  }
  document.addEventListener('copy', onCopy, { capture: true })
  try {
    return document.execCommand('copy') && copied
  } finally {
    document.removeEventListener('copy', onCopy, { capture: true })
  }
}

export type ActionOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorValue }

export type Actions = ReturnType<typeof createActions>

export function createActions(hostConnection: HostConnection, view: ViewStore, consent: StoreApi<ConsentState>) {
  /** Sends a request; returns a failure as a value. */
  const attempt = async <N extends RequestName>(name: N, params: RequestParams<N>): Promise<ActionOutcome<RequestResult<N>>> => {
    try {
      return { ok: true, value: await hostConnection.request(name, params) }
    } catch (error) {
      return { ok: false, error: toErrorValue(error) }
    }
  }

  const sayFailure = (error: ErrorValue): void => {
    const { message, remedy } = describeError(error)
    showToast(view, [message, remedy].filter(Boolean).join(' '), { tone: 'bad' })
  }

  /** Sends a request; a failure shows a toast and resolves to undefined. */
  const ask = async <N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N> | undefined> => {
    const outcome = await attempt(name, params)
    if (outcome.ok) return outcome.value
    sayFailure(outcome.error)
    return undefined
  }

  /** Sends a request without waiting for it, for event handlers; a failure shows a toast. */
  const go = <N extends RequestName>(name: N, params: RequestParams<N>): void => {
    void ask(name, params)
  }

  return {
    attempt,
    ask,
    go,
    sayFailure,
    /** Shows a message at the top of the page for some seconds. */
    toast: (text: string, options?: ToastOptions): void => showToast(view, text, options),
    /** Has a screen reader read the text once. */
    announce: (text: string): void => announce(view, text),
    /** `which`: absent for both of two answers. */
    stop: (conversationId: string, which?: 'shown' | 'beside'): void => go('chat.stop', { conversationId, ...(which && { which }) }),
    resume: (conversationId: string, beside = false): void => go('chat.resume', { conversationId, ...(beside && { beside }) }),
    answerWithout: (conversationId: string): void => go('chat.answerWithout', { conversationId }),
    waitForCall: (conversationId: string, callId: string): void => go('chat.waitForCall', { conversationId, callId }),
    cancelCall: (conversationId: string, callId: string): void => go('chat.cancelCall', { conversationId, callId }),
    renameConversation: (id: string, title: string): void => go('conversation.rename', { id, title }),
    /** `second`: model that answers each question too; null: none. */
    setModel: (id: string, model: string, second?: string | null): void =>
      go('conversation.setModel', { id, model, ...(second !== undefined && { second }) }),
    set: (change: Partial<Settings>): void => go('settings.set', change),
    /**
     * Sends an answer; false: the request was answered before (with a toast), the host is away, or it refuses the answer (`onFailed`, by
     * default with a toast).
     */
    async answer(id: string, answer: ConsentAnswer, onFailed: (error: ErrorValue) => void = sayFailure): Promise<boolean> {
      consent.setState((state) => withAnswered(state, id, true))
      const outcome = await attempt('consent.answer', { id, answer })
      if (outcome.ok && outcome.value.accepted) return true
      consent.setState((state) => withAnswered(state, id, false))
      if (!outcome.ok) onFailed(outcome.error)
      else {
        const known = consent.getState().ended.find(({ request }) => request.id === id)
        const late = t`Your answer came too late.`
        showToast(view, known?.end ? `${late} ${t`It was ${endLabel(known.request, known.end)}.`}` : late)
      }
      return false
    },
    /** Opens an address that the person clicked and read. */
    async openUrl(url: string): Promise<void> {
      const done = await ask('app.openUrl', { url })
      if (done?.by === 'page') window.open(url, '_blank', 'noopener,noreferrer')
    },
    async copy(text: string): Promise<boolean> {
      const copied = await copyText(text)
      if (!copied) showToast(view, t`The browser did not let Assent write to the clipboard.`, { tone: 'bad' })
      return copied
    },
  }
}
