// Small marks: badges, dots, rings, a server's two letters. A dot or a ring never stands without a word: `label` is
// that word for screen readers where none is beside it.
import type { ReactNode } from 'react'
import { serverMark } from '#app/text/format-text.ts'
import { Icon, type IconName } from './icon.tsx'
import { cx } from './lib/class-names.ts'

interface BadgeProps {
  readonly children: ReactNode
  /** grey for facts, warn for "read this", danger for failed, ink for "by you". */
  readonly tone?: 'grey' | 'warn' | 'danger' | 'ink'
  readonly mono?: boolean
  readonly icon?: IconName
  readonly className?: string
}

export function Badge({ children, tone = 'grey', mono, icon, className }: BadgeProps) {
  return (
    <span className={cx('badge', mono && 'mono', tone !== 'grey' && tone, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}

export function Count({ value, label, quiet }: { readonly value: number; readonly label?: string; readonly quiet?: boolean }) {
  return (
    <span className={cx('count', quiet && 'quiet')}>
      {value > 99 ? '99+' : value}
      {label && <span className="sr"> {label}</span>}
    </span>
  )
}

export function ServerMark({ name, large }: { readonly name: string; readonly large?: boolean }) {
  return (
    <span className={cx('srv', large && 'lg')} aria-hidden="true">
      {serverMark(name)}
    </span>
  )
}

export type DotTone = 'ok' | 'bad' | 'warn' | 'you' | 'off' | 'new'

export function Dot({ tone, label }: { readonly tone: DotTone; readonly label?: string }) {
  return <span className={cx('dot', tone)}>{label && <span className="sr">{label}</span>}</span>
}

export function Spinner({ label }: { readonly label?: string }) {
  return <span className="spin">{label && <span className="sr">{label}</span>}</span>
}

/** `part` of 1; undefined: it moves, but nobody knows how far. */
export function Track({ part, label }: { readonly part: number | undefined; readonly label: string }) {
  if (part === undefined) return null
  const percent = Math.round(Math.min(1, Math.max(0, part)) * 100)
  return (
    <span className="track" role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <i style={{ width: `${percent}%` }} />
    </span>
  )
}
