import type { ReactNode } from 'react'
import { t } from '#app/words/translate.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { type Chord, Keys } from '#renderer/ui/keys.tsx'
import { useUnseen } from './unseen.tsx'
import type { Arming } from './use-arming.ts'

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
      {children} {chord && <Keys chord={chord} />}
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
      {children} {chord && <Keys chord={chord} />}
    </Button>
  )
}
