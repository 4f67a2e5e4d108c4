// In the chat's bar: how full the model's context is, as a ring and a figure; pressed, what fills it.
import { useEffect, useState } from 'react'
import type { ContextView } from '#app/chat/context-view.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useModels } from '#renderer/stores/react.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { ContextPane } from './context-pane.tsx'
import { fullness, percentWords } from './context-words.ts'
import { formatCount } from './server-summary.ts'
import './context.css'

export function ContextMeter({ conversation }: { readonly conversation: Conversation }) {
  const { contextTokens: used = 0, model } = conversation
  const info = useModels((state) => state.models.find((one) => one.id === model))
  const [open, setOpen] = useState(false)
  if (info?.ai === false || used === 0) return null
  const limit = info?.contextTokens
  const full = fullness(used, limit)
  const figure = limit === undefined ? formatCount(used) : t`${formatCount(used)} of ${formatCount(limit)}`
  const words = t`Context: ${figure} tokens used${limit === undefined ? '' : `, ${percentWords(used, limit)}`}`
  return (
    <Popover
      title={t`Context`}
      align="end"
      className="context-pane"
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className={cx('pick', 'num', full === 'full' && 'dangertext', full === 'filling' && 'warntext')}
          title={t`Context used`}
          aria-label={words}
        >
          {limit !== undefined && <Ring part={used / limit} />}
          <span className={limit === undefined ? undefined : 'wide-only'}>{limit === undefined ? t`${figure} tokens` : figure}</span>
        </button>
      }
    >
      {open && <Loaded conversation={conversation} />}
    </Popover>
  )
}

const RADIUS = 6
const ROUND = 2 * Math.PI * RADIUS

function Ring({ part }: { readonly part: number }) {
  return (
    <svg className="i ring" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r={RADIUS} className="ring-whole" />
      <circle cx="8" cy="8" r={RADIUS} strokeDasharray={`${Math.min(1, part) * ROUND} ${ROUND}`} transform="rotate(-90 8 8)" />
    </svg>
  )
}

function Loaded({ conversation }: { readonly conversation: Conversation }) {
  const actions = useActions()
  const [view, setView] = useState<ContextView>()
  const [error, setError] = useState<ErrorValue>()
  const { id, model, contextTokens, activity } = conversation
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes what is filled is asked for anew
  useEffect(() => {
    let gone = false
    void actions.attempt('conversation.context', { id }).then((outcome) => {
      if (gone) return
      setError(outcome.ok ? undefined : outcome.error)
      if (outcome.ok) setView(outcome.value)
    })
    return () => {
      gone = true
    }
  }, [actions, id, model, contextTokens, activity.kind])
  if (error) return <ErrorNotice error={error} />
  if (!view)
    return (
      <p className="row faint slowly">
        <Spinner /> {t`Counting.`}
      </p>
    )
  return <ContextPane conversation={conversation} view={view} />
}
