// Small marks: badges, counts, dots, spinners, a server's two letters. `label` is the word for screen readers where none stands
// beside the mark.
import type { ReactNode } from 'react'
import { serverMark } from '#app/text/format-text.ts'
import { cx } from './lib/class-names.ts'

interface BadgeProps {
  readonly children: ReactNode
  /** grey for facts, warn for "read this", danger for failed, ink for "by you". */
  readonly tone?: 'grey' | 'warn' | 'danger' | 'ink'
  readonly mono?: boolean
  readonly className?: string
}

export function Badge({ children, tone = 'grey', mono, className }: BadgeProps) {
  return <span className={cx('badge', mono && 'mono', tone !== 'grey' && tone, className)}>{children}</span>
}

export const Count = ({ value, label }: { readonly value: number; readonly label: string }) => (
  <span className="count">
    {value > 99 ? '99+' : value}
    <span className="sr"> {label}</span>
  </span>
)

export const ServerMark = ({ name, large }: { readonly name: string; readonly large?: boolean }) => (
  <span className={cx('srv', large && 'lg')} aria-hidden="true">
    {serverMark(name)}
  </span>
)

export type DotTone = 'ok' | 'bad' | 'warn' | 'you' | 'off' | 'new'

export function Dot({ tone, label }: { readonly tone: DotTone; readonly label?: string }) {
  return <span className={cx('dot', tone)}>{label && <span className="sr">{label}</span>}</span>
}

export function Spinner({ label }: { readonly label?: string }) {
  return <span className="spin">{label && <span className="sr">{label}</span>}</span>
}

/** A progress bar; none while the progress is unknown. `part`: from 0 to 1. */
export function Track({ part, label }: { readonly part: number | undefined; readonly label: string }) {
  if (part === undefined) return null
  const percent = Math.round(Math.min(1, Math.max(0, part)) * 100)
  return (
    <span className="track" role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
      <i style={{ width: `${percent}%` }} />
    </span>
  )
}
