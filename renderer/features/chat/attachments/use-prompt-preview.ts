// Fetches a prompt with its arguments from the server; only the latest request counts.
import { useEffect, useRef, useState } from 'react'
import type { Argument, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

export type Preview =
  | { readonly kind: 'none' | 'loading' }
  | { readonly kind: 'shown'; readonly prompt: UsedPrompt }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** `byItself`: a prompt without arguments is shown at once. `ready`: all required arguments have values. */
export function usePromptPreview(server: string, name: string, fields: readonly Argument[], byItself = true) {
  const { attempt, go } = useActions()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Preview>({ kind: 'none' })
  const latest = useRef<string | undefined>(undefined)
  const ready = fields.every((field) => !field.required || (values[field.name] ?? '') !== '')

  const stop = (): void => {
    if (latest.current !== undefined) go('mention.cancel', { fetch: latest.current })
    latest.current = undefined
  }
  const show = async (): Promise<void> => {
    stop()
    const fetch = crypto.randomUUID()
    latest.current = fetch
    setPreview({ kind: 'loading' })
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const outcome = await attempt('mention.prompt', { fetch, server, name, arguments: given })
    if (latest.current !== fetch) return
    latest.current = undefined
    setPreview(outcome.ok ? { kind: 'shown', prompt: outcome.value.prompt } : { kind: 'failed', error: outcome.error })
  }
  const atOnce = byItself && fields.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there are no arguments; a pending request ends with the view
  useEffect(() => {
    if (atOnce) void show()
    return stop
  }, [atOnce])

  return {
    values,
    fill(next: Readonly<Record<string, string>>): void {
      stop()
      setValues(next)
      setPreview({ kind: 'none' })
    },
    ready,
    preview,
    show: () => void show(),
  }
}
