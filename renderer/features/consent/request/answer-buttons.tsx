// The answers to a request: the buttons, the notice between it and them about lines that were not in view yet, and a denial with a reason.
import { createContext, type ReactNode, useContext, useId, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { Button, GhostButton, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import type { Arming } from './use-arming.ts'
import type { Seen } from './use-seen.ts'

interface AnswerButtonProps {
  readonly onPress: () => void
  readonly children?: ReactNode
  readonly large?: boolean
}

interface AllowButtonProps extends AnswerButtonProps {
  readonly arming: Arming
  /** Something looks wrong: allowing is possible, but not highlighted. */
  readonly plain?: boolean
  readonly blocked?: boolean
  readonly className?: string
}

/** `aria-disabled` rather than `disabled`: focus stays. A held key presses once at most, and so do clicks that follow one another. */
export function AllowButton({ arming, onPress, children, plain, blocked, large, className }: AllowButtonProps) {
  const inert = !arming.armed || blocked
  const unseen = useUnseen()
  return (
    <Button
      variant={plain || unseen !== undefined ? 'plain' : 'primary'}
      size={large ? 'lg' : 'md'}
      className={cx(className, !arming.armed && 'arming')}
      aria-disabled={inert ? true : undefined}
      aria-describedby={unseen}
      onKeyDown={(event) => {
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
      }}
      onClick={({ detail }) => {
        if (detail < 2 && !blocked && arming.mayPress()) onPress()
      }}
    >
      {children}
    </Button>
  )
}

/** Opens the other ways to allow; looks like the Allow button that it is joined to. */
export function UnfoldButton({ plain, open, onPress }: { readonly plain: boolean; readonly open: boolean; readonly onPress: () => void }) {
  const unseen = useUnseen()
  return (
    <IconButton
      label={t`Other ways to allow`}
      icon={open ? 'chevron-up' : 'chevron-down'}
      small
      className={plain || unseen !== undefined ? 'unfold' : 'unfold primary'}
      aria-expanded={open}
      onClick={onPress}
    />
  )
}

/** Works at once, unlike Allow. The second press of a double click was for the request before. */
export const DenyButton = ({ onPress, children = t`Deny`, large }: AnswerButtonProps) => (
  <Button className="quiet" size={large ? 'lg' : 'md'} onClick={({ detail }) => detail < 2 && onPress()}>
    {children}
  </Button>
)

/** Id of the notice; undefined once all lines were in view. */
const Unseen = createContext<string | undefined>(undefined)
export const useUnseen = (): string | undefined => useContext(Unseen)

type AnswerButtonsProps = { readonly seen: Seen; readonly children: ReactNode }

/** The buttons of a request: none is highlighted while lines were never in view. */
export function AnswerButtons({ seen, children }: AnswerButtonsProps) {
  const id = useId()
  const all = seen.lines === 0
  return (
    <Unseen value={all ? undefined : id}>
      {seen.shown && (
        <div className="unseen">
          <SmallGhostButton id={id} icon={all || seen.where === 'above' ? 'chevron-up' : 'chevron-down'} onClick={seen.goOn}>
            {all ? t`Back to the beginning` : linesWords(seen)}
          </SmallGhostButton>
        </div>
      )}
      {children}
    </Unseen>
  )
}

function linesWords({ lines, where }: Seen): string {
  const count = formatNumber(lines)
  if (where === 'cut') return t`${count} more {line|lines}: open full size`
  if (where === 'above') return t`${count} {line|lines} above`
  return t`${count} {line|lines} below`
}

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
      <Button onClick={() => deny(false)}>{lasting ? t`Always deny` : t`Deny`}</Button>
      <Button onClick={() => deny(true)}>{t`Deny and stop`}</Button>
      <GhostButton onClick={onCancel}>{t`Back`}</GhostButton>
    </>
  )
}
