import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { type Chord, ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useUnseen } from './unseen-notice.tsx'
import type { Arming } from './use-arming.ts'

interface NotNowProps {
  /** Of what a server asks of the person, which ends without an answer. */
  readonly onPress?: () => void
  /** In a sheet, which Escape closes. */
  readonly sheet?: boolean
}

/** Without `onPress` it decides nothing: the request goes on waiting. */
export function SkipButton({ onPress, sheet }: NotNowProps) {
  return (
    <Button
      variant="ghost"
      size={sheet ? 'lg' : 'md'}
      className={onPress ? undefined : 'wide-only'}
      onClick={onPress ?? (() => focusComposer())}
    >
      {tx`Not now ${sheet ? null : <ChordKeys chord={{ key: 'Escape' }} />}`}
    </Button>
  )
}

interface AllowButtonProps {
  readonly arming: Arming
  readonly onPress: () => void
  readonly children: ReactNode
  /** Something is wrong with what is asked: allowing it is possible, but not the button to press. */
  readonly plain?: boolean
  readonly blocked?: boolean
  readonly chord?: Chord
  readonly large?: boolean
  readonly className?: string
}

/** `aria-disabled` rather than `disabled`, so that focus stays. A held key presses once at most. */
export function AllowButton({ arming, onPress, children, plain, blocked, chord, large, className }: AllowButtonProps) {
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
      {children} {chord && <ChordKeys chord={chord} />}
    </Button>
  )
}

/** Unfolds the other ways to allow; it looks as the button that it is joined to. */
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

/** Always live. */
export function DenyButton({
  onPress,
  children = t`Deny`,
  chord,
  large,
}: {
  readonly onPress: () => void
  readonly children?: ReactNode
  readonly chord?: Chord
  readonly large?: boolean
}) {
  return (
    <Button className="quiet" size={large ? 'lg' : 'md'} onClick={onPress}>
      {children} {chord && <ChordKeys chord={chord} />}
    </Button>
  )
}
