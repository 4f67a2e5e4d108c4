// What a server makes of a prompt, with what was filled in; the latest asking counts.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Argument, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly prompt: UsedPrompt }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface PromptPreview {
  readonly values: Readonly<Record<string, string>>
  /** What was made of other values goes. */
  readonly fill: (values: Readonly<Record<string, string>>) => void
  /** All that it needs is filled in. */
  readonly ready: boolean
  readonly preview: Preview
  readonly show: () => void
}

/** `byItself`: one that wants to know nothing is shown at once. */
export function usePromptPreview(server: string, name: string, fields: readonly Argument[], byItself = true): PromptPreview {
  const { attempt, go } = useActions()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Preview>({ kind: 'none' })
  const latest = useRef<string | undefined>(undefined)
  const ready = fields.every((field) => !field.required || (values[field.name] ?? '') !== '')

  const stop = useCallback((): void => {
    if (latest.current !== undefined) go('offer.cancel', { fetch: latest.current })
    latest.current = undefined
  }, [go])
  const show = async (): Promise<void> => {
    stop()
    const fetch = crypto.randomUUID()
    latest.current = fetch
    setPreview({ kind: 'loading' })
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const outcome = await attempt('offer.prompt', { fetch, server, name, arguments: given })
    if (latest.current !== fetch) return
    latest.current = undefined
    setPreview(outcome.ok ? { kind: 'shown', prompt: outcome.value.prompt } : { kind: 'failed', error: outcome.error })
  }
  const atOnce = byItself && fields.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is nothing to fill in; what is on its way ends with the view
  useEffect(() => {
    if (atOnce) void show()
    return stop
  }, [atOnce])

  return {
    values,
    fill(next) {
      stop()
      setValues(next)
      setPreview({ kind: 'none' })
    },
    ready,
    preview,
    show: () => void show(),
  }
}
