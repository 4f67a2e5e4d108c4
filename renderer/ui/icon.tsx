// The icons of the mock-ups: strokes on a 16 grid, coloured by the text around them. Each stands beside a word or on
// a button with a label, so all of them are hidden from screen readers.
import type { ReactNode } from 'react'
import { cx } from './lib/class-names.ts'

const paths = {
  assent: (
    <>
      <path d="m2.5 8.2 3.4 3.6L13.5 3" strokeWidth="1.9" />
      <path d="M8.5 13.6h5" strokeWidth="1.9" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  inbox: (
    <>
      <path d="M2.5 9.5 4.2 3.7a1 1 0 0 1 1-.7h5.6a1 1 0 0 1 1 .7l1.7 5.8v2.6a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z" />
      <path d="M2.5 9.5h3.2a2.3 2.3 0 0 0 4.6 0h3.2" />
    </>
  ),
  servers: (
    <>
      <rect x="2.5" y="2.8" width="11" height="4.2" rx="1.2" />
      <rect x="2.5" y="9" width="11" height="4.2" rx="1.2" />
      <path d="M5 4.9h.01M5 11.1h.01" />
    </>
  ),
  library: <path d="M3 12.3V4a1.5 1.5 0 0 1 1.5-1.5H13v8.3H4.5A1.5 1.5 0 0 0 3 12.3a1.2 1.2 0 0 0 1.2 1.2H13v-2.7" />,
  shield: (
    <>
      <path d="M8 1.8 13 3.6v4c0 3-2 5.3-5 6.6-3-1.3-5-3.6-5-6.6v-4z" />
      <path d="m5.8 7.9 1.6 1.6 2.9-3" />
    </>
  ),
  sliders: (
    <>
      <path d="M2.5 5h5.7M11.8 5h1.7M2.5 11h1.7M7.8 11h5.7" />
      <circle cx="10" cy="5" r="1.7" />
      <circle cx="6" cy="11" r="1.7" />
    </>
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  'chevron-right': <path d="m6 3.5 4.5 4.5L6 12.5" />,
  'chevron-left': <path d="M10 3.5 5.5 8l4.5 4.5" />,
  'chevron-down': <path d="M3.5 6 8 10.5 12.5 6" />,
  'chevron-up': <path d="M3.5 10 8 5.5 12.5 10" />,
  check: <path d="m3.2 8.4 3.1 3.1 6.5-7" />,
  dash: <path d="M3.5 8h9" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  warning: (
    <>
      <path d="M8 2.5 14.2 13H1.8z" />
      <path d="M8 6.6v2.9M8 11.3h.01" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 7.4v3.4M8 5.1h.01" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.8V8l2.2 1.6" />
    </>
  ),
  model: (
    <>
      <path d="M8 2.2 13 5v6l-5 2.8L3 11V5z" />
      <path d="M3 5l5 2.9L13 5M8 7.9v5.9" />
    </>
  ),
  attach: <path d="m12.8 7.4-5 5a3 3 0 0 1-4.3-4.3l5.4-5.4a2 2 0 0 1 2.9 2.9l-5.4 5.4a1 1 0 0 1-1.5-1.5l4.8-4.8" />,
  stop: <rect x="4.5" y="4.5" width="7" height="7" rx="1" fill="currentColor" />,
  send: <path d="M8 13V3.5M4 7.3l4-4 4 4" />,
  'arrow-down': <path d="M8 3v9.5M4 8.7l4 4 4-4" />,
  file: (
    <>
      <path d="M9.2 2H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5.3z" />
      <path d="M9 2v3.5h3.5" />
    </>
  ),
  folder: <path d="M2 12V4.2a1 1 0 0 1 1-1h3.2l1.6 1.7H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />,
  text: <path d="M3 4h10M3 8h7M3 12h4" />,
  edit: <path d="m10.7 2.8 2.5 2.5-7.5 7.5-3.2.7.7-3.2z" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />,
  flow: (
    <>
      <path d="M2.5 4.5h3.2c3.3 0 1.6 7 4.9 7h2.9" />
      <path d="m11.4 9.3 2.2 2.2-2.2 2.2" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.4" />
      <path d="M10.5 5.5V3.9a1.4 1.4 0 0 0-1.4-1.4H3.9a1.4 1.4 0 0 0-1.4 1.4v5.2a1.4 1.4 0 0 0 1.4 1.4h1.6" />
    </>
  ),
  chat: <path d="M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7.2l-3 2.3v-2.3a2 2 0 0 1-1.7-2z" />,
  tool: (
    <path
      d="M9.6 5.1a3 3 0 0 1 3.9-2.9l-1.9 1.9v1.5l1.4 0 1.6-1.6a3 3 0 0 1-3.9 3.9l-5.3 5.3a1.4 1.4 0 0 1-2-2l5.3-5.3a3 3 0 0 1-.1-.8z"
      transform="translate(-.6 .3)"
    />
  ),
  wrap: <path d="M2.5 4h11M2.5 8h8.3a2 2 0 0 1 0 4.3H8M9.6 10.6 7.8 12.3l1.8 1.7M2.5 12.3h2.5" />,
  refresh: (
    <>
      <path d="M13 8a5 5 0 1 1-1.5-3.5" />
      <path d="M13 2.5v2.8h-2.8" />
    </>
  ),
  lock: (
    <>
      <rect x="3.2" y="7" width="9.6" height="6.5" rx="1.4" />
      <path d="M5.2 7V5.2a2.8 2.8 0 0 1 5.6 0V7" />
    </>
  ),
  key: (
    <>
      <circle cx="5.2" cy="10.8" r="2.7" />
      <path d="m7.2 8.9 5.9-5.9M10.8 5.2l2 2" />
    </>
  ),
  external: <path d="M9 3h4v4M13 3 7.5 8.5M11.5 9.5V12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1h2.5" />,
  eye: (
    <>
      <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  globe: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M2.2 8h11.6M8 2.2c4 3.4 4 8.2 0 11.6-4-3.4-4-8.2 0-11.6z" />
    </>
  ),
  image: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1.4" />
      <circle cx="5.8" cy="6.2" r="1.1" />
      <path d="m2.8 11.6 3.4-3.2 2.3 2 2-1.8 2.8 2.6" />
    </>
  ),
  trash: <path d="M3 4.5h10M6.3 4.5V3h3.4v1.5M4.3 4.5l.6 8.1a1 1 0 0 0 1 .9h4.2a1 1 0 0 0 1-.9l.6-8.1" />,
  play: <path d="M5 3.2v9.6L12.6 8z" />,
  power: <path d="M8 2.5v5M4.8 4.6a5 5 0 1 0 6.4 0" />,
} as const satisfies Record<string, ReactNode>

export type IconName = keyof typeof paths

/** They point the other way where the page is written from the right. */
const SIDED = /^chevron-(?:left|right)$/u

export function Icon({ name, small }: { readonly name: IconName; readonly small?: boolean }) {
  return (
    <svg className={cx('i', small && 'sm', SIDED.test(name) && 'turned')} viewBox="0 0 16 16" aria-hidden="true">
      {paths[name]}
    </svg>
  )
}
