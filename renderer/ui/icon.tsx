// Icons (strokes on a 16 × 16 grid, which screen readers skip: each stands beside a word or on a labelled button), badges, counts,
// dots and spinners. `label` is a mark's word for screen readers where none stands beside it.
import type { ReactNode } from 'react'
import { serverMark } from '#app/text/format-text.ts'
import { cx } from './lib/class-names.ts'

/** SVG path data. */
const strokes = {
  pin: 'M6 2.5h4M6.6 2.5v4L4.5 9h7L9.4 6.5v-4M8 9v4.5',
  plus: 'M8 3v10M3 8h10',
  search: 'M11.3 7a4.3 4.3 0 1 1-8.6 0 4.3 4.3 0 1 1 8.6 0zM10.2 10.2l3.3 3.3',
  inbox:
    'M2.5 9.5 4.2 3.7a1 1 0 0 1 1-.7h5.6a1 1 0 0 1 1 .7l1.7 5.8v2.6a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 9.5h3.2a2.3 2.3 0 0 0 4.6 0h3.2',
  servers:
    'M3.7 2.8h8.6a1.2 1.2 0 0 1 1.2 1.2v1.8a1.2 1.2 0 0 1 -1.2 1.2h-8.6a1.2 1.2 0 0 1 -1.2 -1.2v-1.8a1.2 1.2 0 0 1 1.2 -1.2zM3.7 9h8.6a1.2 1.2 0 0 1 1.2 1.2v1.8a1.2 1.2 0 0 1 -1.2 1.2h-8.6a1.2 1.2 0 0 1 -1.2 -1.2v-1.8a1.2 1.2 0 0 1 1.2 -1.2zM5 4.9h.01M5 11.1h.01',
  library: 'M3 12.3V4a1.5 1.5 0 0 1 1.5-1.5H13v8.3H4.5A1.5 1.5 0 0 0 3 12.3a1.2 1.2 0 0 0 1.2 1.2H13v-2.7',
  shield: 'M8 1.8 13 3.6v4c0 3-2 5.3-5 6.6-3-1.3-5-3.6-5-6.6v-4zM5.8 7.9l1.6 1.6 2.9-3',
  'shield-off': 'M8 1.8 13 3.6v4c0 3-2 5.3-5 6.6-3-1.3-5-3.6-5-6.6v-4zM8 5v3.2M8 10.4h.01',
  sliders:
    'M2.5 5h5.7M11.8 5h1.7M2.5 11h1.7M7.8 11h5.7M11.7 5a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 1 1 3.4 0zM7.7 11a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 1 1 3.4 0z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  'chevron-right': 'M6 3.5l4.5 4.5L6 12.5',
  'chevron-left': 'M10 3.5 5.5 8l4.5 4.5',
  'chevron-down': 'M3.5 6 8 10.5 12.5 6',
  'chevron-up': 'M3.5 10 8 5.5 12.5 10',
  check: 'M3.2 8.4l3.1 3.1 6.5-7',
  dash: 'M3.5 8h9',
  close: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5 14.2 13H1.8zM8 6.6v2.9M8 11.3h.01',
  info: 'M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0zM8 7.4v3.4M8 5.1h.01',
  clock: 'M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0zM8 4.8V8l2.2 1.6',
  model: 'M8 2.2 13 5v6l-5 2.8L3 11V5zM3 5l5 2.9L13 5M8 7.9v5.9',
  attach: 'M12.8 7.4l-5 5a3 3 0 0 1-4.3-4.3l5.4-5.4a2 2 0 0 1 2.9 2.9l-5.4 5.4a1 1 0 0 1-1.5-1.5l4.8-4.8',
  send: 'M8 13V3.5M4 7.3l4-4 4 4',
  'arrow-down': 'M8 3v9.5M4 8.7l4 4 4-4',
  file: 'M9.2 2H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5.3zM9 2v3.5h3.5',
  folder: 'M2 12V4.2a1 1 0 0 1 1-1h3.2l1.6 1.7H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z',
  text: 'M3 4h10M3 8h7M3 12h4',
  edit: 'M10.7 2.8l2.5 2.5-7.5 7.5-3.2.7.7-3.2z',
  flow: 'M2.5 4.5h3.2c3.3 0 1.6 7 4.9 7h2.9M11.4 9.3l2.2 2.2-2.2 2.2',
  copy: 'M6.9 5.5h5.2a1.4 1.4 0 0 1 1.4 1.4v5.2a1.4 1.4 0 0 1 -1.4 1.4h-5.2a1.4 1.4 0 0 1 -1.4 -1.4v-5.2a1.4 1.4 0 0 1 1.4 -1.4zM10.5 5.5V3.9a1.4 1.4 0 0 0-1.4-1.4H3.9a1.4 1.4 0 0 0-1.4 1.4v5.2a1.4 1.4 0 0 0 1.4 1.4h1.6',
  chat: 'M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7.2l-3 2.3v-2.3a2 2 0 0 1-1.7-2z',
  wrap: 'M2.5 4h11M2.5 8h8.3a2 2 0 0 1 0 4.3H8M9.6 10.6 7.8 12.3l1.8 1.7M2.5 12.3h2.5',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v2.8h-2.8',
  lock: 'M4.6 7h6.8a1.4 1.4 0 0 1 1.4 1.4v3.7a1.4 1.4 0 0 1 -1.4 1.4h-6.8a1.4 1.4 0 0 1 -1.4 -1.4v-3.7a1.4 1.4 0 0 1 1.4 -1.4zM5.2 7V5.2a2.8 2.8 0 0 1 5.6 0V7',
  key: 'M7.9 10.8a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 1 1 5.4 0zM7.2 8.9l5.9-5.9M10.8 5.2l2 2',
  external: 'M9 3h4v4M13 3 7.5 8.5M11.5 9.5V12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1h2.5',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM9.9 8a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 1 1 3.8 0z',
  globe: 'M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0zM2.2 8h11.6M8 2.2c4 3.4 4 8.2 0 11.6-4-3.4-4-8.2 0-11.6z',
  image:
    'M3.9 3h8.2a1.4 1.4 0 0 1 1.4 1.4v7.2a1.4 1.4 0 0 1 -1.4 1.4h-8.2a1.4 1.4 0 0 1 -1.4 -1.4v-7.2a1.4 1.4 0 0 1 1.4 -1.4zM6.9 6.2a1.1 1.1 0 1 1-2.2 0 1.1 1.1 0 1 1 2.2 0zM2.8 11.6l3.4-3.2 2.3 2 2-1.8 2.8 2.6',
  trash: 'M3 4.5h10M6.3 4.5V3h3.4v1.5M4.3 4.5l.6 8.1a1 1 0 0 0 1 .9h4.2a1 1 0 0 0 1-.9l.6-8.1',
  code: 'M5.8 4.5 2.5 8l3.3 3.5M10.2 4.5 13.5 8l-3.3 3.5',
  download: 'M8 2.8v7.4M4.7 7.2 8 10.5l3.3-3.3M3 13.2h10',
  play: 'M5 3.2v9.6L12.6 8z',
  power: 'M8 2.5v5M4.8 4.6a5 5 0 1 0 6.4 0',
} as const

/** Icons that need more than one stroke of the common width. */
const drawings = {
  assent: (
    <>
      <path d="m2.5 8.2 3.4 3.6L13.5 3" strokeWidth="1.9" />
      <path d="M8.5 13.6h5" strokeWidth="1.9" />
    </>
  ),
  sidebar: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1.5" />
      <path d="M6.5 3v10" />
    </>
  ),
  stop: <rect x="4.5" y="4.5" width="7" height="7" rx="1" fill="currentColor" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />,
  tool: (
    <path
      d="M9.6 5.1a3 3 0 0 1 3.9-2.9l-1.9 1.9v1.5l1.4 0 1.6-1.6a3 3 0 0 1-3.9 3.9l-5.3 5.3a1.4 1.4 0 0 1-2-2l5.3-5.3a3 3 0 0 1-.1-.8z"
      transform="translate(-.6 .3)"
    />
  ),
} as const satisfies Record<string, ReactNode>

export type IconName = keyof typeof strokes | keyof typeof drawings

const isStroke = (name: IconName): name is keyof typeof strokes => Object.hasOwn(strokes, name)

export function Icon({ name, small }: { readonly name: IconName; readonly small?: boolean }) {
  // A page that is written from the right turns icons that point to a side.
  const turns = name === 'chevron-left' || name === 'chevron-right'
  return (
    <svg className={cx('i', small && 'sm', turns && 'turned')} viewBox="0 0 16 16" aria-hidden="true">
      {isStroke(name) ? <path d={strokes[name]} /> : drawings[name]}
    </svg>
  )
}

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
