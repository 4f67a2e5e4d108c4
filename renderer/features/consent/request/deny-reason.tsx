import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'

interface DenyReasonProps {
  /** `word`: the reason, or empty. `stop`: ends the turn too. */
  readonly onDeny: (word: string, stop: boolean) => void
  readonly onCancel: () => void
  /** The denial becomes a rule. */
  readonly lasting?: boolean
}

/** A denial with the person's reason, which the model reads. */
export function DenyReason({ onDeny, onCancel, lasting }: DenyReasonProps) {
  const [word, setWord] = useState('')
  const deny = (stop: boolean): void => onDeny(word.trim(), stop)
  return (
    <>
      <TextInput
        className="deny-word"
        aria-label={t`Why not? The model reads this`}
        placeholder={t`Why not? The model reads this`}
        value={word}
        maxLength={2000}
        autoFocus
        onChange={(event) => setWord(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isTyping(event) && !event.metaKey && !event.ctrlKey && !event.repeat) {
            event.preventDefault()
            deny(false)
          }
        }}
      />
      <Button onClick={() => deny(false)}>{lasting ? t`Deny and add this rule` : t`Deny`}</Button>
      <Button onClick={() => deny(true)}>{t`Deny and stop`}</Button>
      <Button variant="ghost" onClick={onCancel}>
        {t`Back`}
      </Button>
    </>
  )
}
