import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { allowChord, denyChord } from './request-keys.ts'
import { useUnseen } from './unseen-notice.tsx'
import type { Arming } from './use-arming.ts'

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
