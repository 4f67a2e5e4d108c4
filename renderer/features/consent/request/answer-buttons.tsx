// The answers to a request: the buttons, the notice between it and them about lines that were not in view yet, and a denial with a reason.
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { Button, GhostButton, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { allowChord, denyChord } from './request-keys.ts'
import type { Arming } from './use-arming.ts'
import type { Seen } from './use-seen.ts'

interface SkipButtonProps {
  /** Ends an elicitation without an answer. Default: decides nothing, the request keeps waiting. */
  readonly onPress?: (() => void) | undefined
  /** The button stands in a sheet, which Escape closes. */
  readonly sheet?: boolean
}

export const SkipButton = ({ onPress, sheet }: SkipButtonProps) => (
  <Button
    variant="ghost"
    size={sheet ? 'lg' : 'md'}
    className={onPress ? undefined : 'wide-only'}
    onClick={onPress ?? (() => focusComposer())}
  >
    {tx`Not now ${sheet ? null : <ChordKeys chord={{ key: 'Escape' }} />}`}
  </Button>
)

interface AnswerButtonProps {
  readonly onPress: () => void
  readonly children?: ReactNode
  readonly large?: boolean
  /** The key does not answer here: it is not shown. */
  readonly keyless?: boolean
}

interface AllowButtonProps extends AnswerButtonProps {
  readonly arming: Arming
  /** Something looks wrong: allowing is possible, but not highlighted. */
  readonly plain?: boolean
  readonly blocked?: boolean
  readonly className?: string
}

/** `aria-disabled` rather than `disabled`: focus stays. A held key presses once at most. */
export function AllowButton({ arming, onPress, children, plain, blocked, keyless, large, className }: AllowButtonProps) {
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
      onClick={() => {
        if (!blocked && arming.mayPress()) onPress()
      }}
    >
      {children} {!keyless && <ChordKeys chord={allowChord} />}
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

/** Works at once, unlike Allow. */
export const DenyButton = ({ onPress, children = t`Deny`, keyless, large }: AnswerButtonProps) => (
  <Button className="quiet" size={large ? 'lg' : 'md'} onClick={onPress}>
    {children} {!keyless && <ChordKeys chord={denyChord} />}
  </Button>
)

/** Id of the notice; undefined once all lines were in view. */
const Unseen = createContext<string | undefined>(undefined)
export const useUnseen = (): string | undefined => useContext(Unseen)

/** Called with the id of each request whose lines were all in view. */
export const OnAllSeen = createContext<((id: string) => void) | undefined>(undefined)

type AnswerButtonsProps = { readonly seen: Seen; readonly requestId?: string; readonly children: ReactNode }

/** The buttons of a request: none is highlighted while lines were never in view. */
export function AnswerButtons({ seen, requestId, children }: AnswerButtonsProps) {
  const id = useId()
  const onAllSeen = useContext(OnAllSeen)
  const all = seen.lines === 0
  useEffect(() => {
    if (all && requestId !== undefined) onAllSeen?.(requestId)
  }, [all, requestId, onAllSeen])
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
  if (where === 'above') return lines === 1 ? t`1 line above` : t`${count} lines above`
  return lines === 1 ? t`1 line below` : t`${count} lines below`
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
      <Button onClick={() => deny(false)}>{lasting ? t`Deny and add this rule` : t`Deny`}</Button>
      <Button onClick={() => deny(true)}>{t`Deny and stop`}</Button>
      <GhostButton onClick={onCancel}>{t`Back`}</GhostButton>
    </>
  )
}
