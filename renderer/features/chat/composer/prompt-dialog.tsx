// A prompt before it is used: what it wants to know, then all that the server makes of it, to be read before any of it is sent.
import { useEffect, useRef, useState } from 'react'
import type { UsedPrompt } from '#app/chat/prompt.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { ServerMark, Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { type Argument, ArgumentFields } from './argument-fields.tsx'
import { PromptMessages } from './prompt-messages.tsx'

export interface ChosenPrompt {
  readonly server: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: readonly Argument[] | undefined
}

type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly prompt: UsedPrompt }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface PromptDialogProps {
  readonly prompt: ChosenPrompt
  readonly onClose: () => void
  readonly onUse: (prompt: UsedPrompt) => void
}

export function PromptDialog({ prompt, onClose, onUse }: PromptDialogProps) {
  const { server, name, title, description, arguments: fields = [] } = prompt
  const { attempt, go } = useActions()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Preview>({ kind: 'none' })
  const latest = useRef<string | undefined>(undefined)
  const ready = fields.every((field) => !field.required || (values[field.name] ?? '') !== '')

  const stop = (): void => {
    if (latest.current !== undefined) go('offer.cancel', { fetch: latest.current })
    latest.current = undefined
  }
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is nothing to fill in; what is on its way ends with the dialog
  useEffect(() => {
    if (fields.length === 0) void show()
    return stop
  }, [])

  return (
    <Dialog
      open
      onClose={onClose}
      width={720}
      mark={<ServerMark name={server} />}
      title={<Revealed text={title ?? name} />}
      footer={
        preview.kind === 'shown' ? (
          <Button variant="primary" onClick={() => onUse(preview.prompt)}>
            Put it into the message
          </Button>
        ) : (
          <Button
            variant="primary"
            aria-disabled={!ready || preview.kind === 'loading'}
            onClick={() => ready && preview.kind !== 'loading' && void show()}
          >
            Show what it says
          </Button>
        )
      }
    >
      <p className="help">
        {description && <Revealed text={description} />} From <Revealed text={server} />.
      </p>
      <ArgumentFields
        server={server}
        of={{ type: 'ref/prompt', name }}
        fields={fields}
        values={values}
        onChange={(next) => {
          stop()
          setValues(next)
          setPreview({ kind: 'none' })
        }}
      />
      {preview.kind === 'loading' && (
        <p className="row help" role="status">
          <Spinner /> Asking <Revealed text={server} />
        </p>
      )}
      {preview.kind === 'failed' && <ErrorNotice error={preview.error} onRetry={() => void show()} />}
      {preview.kind === 'shown' && <PromptMessages prompt={preview.prompt} />}
    </Dialog>
  )
}
