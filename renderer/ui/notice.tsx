import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { cx } from './lib/class-names.ts'

interface NoticeProps {
  readonly tone?: 'plain' | 'bad' | 'warn' | 'you'
  readonly icon?: IconName
  readonly title: ReactNode
  /** Reason, and what happens next. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export const Notice = ({ tone = 'plain', icon = tone === 'plain' ? 'info' : 'warning', title, children, action }: NoticeProps) => (
  <div className={cx('notice', tone !== 'plain' && tone)}>
    <Icon name={icon} />
    <div>
      <span className="strong">{title}</span> {children && <span className="dim">{children}</span>}
    </div>
    {action}
  </div>
)

/** Text in place of a list or a pane that has nothing to show. */
export const Empty = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <div className="empty">
    <p className="strong">{title}</p>
    {children}
  </div>
)
