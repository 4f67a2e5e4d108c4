// "‹ 2 / 3 ›": the versions of a question or an answer. Which one is shown is the host's to say; focus stays on the switch.
import type { KeyboardEvent } from 'react'
import { t } from '#app/words/translate.ts'
import { focusSoon } from '#renderer/shell/focus.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'

interface VersionSwitchProps {
  readonly conversationId: string
  readonly versions: readonly string[]
  readonly current: string
  readonly of: 'question' | 'answer'
}

type Step = 'previous' | 'next'

const focusSwitch = (id: string, step: Step): boolean => {
  const buttons = document.querySelector(`[data-versions-of="${CSS.escape(id)}"]`)
  const button = buttons?.querySelector<HTMLElement>(`[data-step="${step}"]`)
  button?.focus({ preventScroll: true })
  return button !== null && button !== undefined && document.activeElement === button
}

export function VersionSwitch({ conversationId, versions, current, of }: VersionSwitchProps) {
  const actions = useActions()
  const { view } = useStores()
  const at = versions.indexOf(current)

  const go = async (step: Step): Promise<void> => {
    const target = versions[step === 'next' ? at + 1 : at - 1]
    if (target === undefined || !(await actions.ask('message.show', { conversationId, messageId: target }))) return
    announce(view, t`Version ${versions.indexOf(target) + 1} of ${versions.length}.`)
    focusSoon(() => focusSwitch(target, step))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') void go('previous')
    else if (event.key === 'ArrowRight') void go('next')
    else return
    event.preventDefault()
  }
  const first = at <= 0
  const last = at === versions.length - 1
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      role="group"
      aria-label={t`Versions of this ${of}`}
      className="versions"
      data-versions-of={current}
      data-stays
      onKeyDown={onKeyDown}
    >
      <IconButton
        small
        label={t`Previous version`}
        icon="chevron-left"
        data-step="previous"
        aria-disabled={first}
        onClick={() => void go('previous')}
      />
      <span className="num">
        <span className="sr">{t`Version`} </span>
        {at + 1} / {versions.length}
      </span>
      <IconButton
        small
        label={t`Next version`}
        icon="chevron-right"
        data-step="next"
        aria-disabled={last}
        onClick={() => void go('next')}
      />
    </div>
  )
}
