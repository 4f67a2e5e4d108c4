import { type ReactNode, useEffect, useState } from 'react'
import type { ErrorAction } from '#app/error-fixes.ts'
import { describeError, type ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Route } from '#renderer/router.ts'
import { SmallButton, SmallLink } from './button.tsx'
import { Icon, type IconName, Spinner } from './icon.tsx'
import { cx } from './lib/class-names.ts'
import { tx } from './lib/translate-elements.ts'
import { VisibleText } from './visible-text.tsx'

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

export const WarnNotice = (props: Omit<NoticeProps, 'tone'>) => <Notice tone="warn" {...props} />

export const BadNotice = (props: Omit<NoticeProps, 'tone'>) => <Notice tone="bad" {...props} />

interface EmptyProps {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** Text in place of a list or a pane that has nothing to show. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div className="empty">
    {icon && <Icon name={icon} />}
    <p className="strong">{title}</p>
    {children}
  </div>
)

/** Says what is being read, after 300 ms. */
export function Loading() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="row dim" role="status">
      {late ? (
        <>
          <Spinner />
          {t`Loading…`}
        </>
      ) : null}
    </p>
  )
}

/** The page where the error can be fixed, and the label of the link to it. */
function linkOf(action: ErrorAction | undefined, { data }: ErrorValue): { readonly to: Route; readonly label: string } | undefined {
  switch (action?.kind) {
    case 'open-settings':
      return { to: { page: 'settings', tab: action.tab }, label: t`Open settings` }
    case 'pull-model':
      return { to: { page: 'settings', tab: 'models', pull: String(data?.['pull']) }, label: t`Download` }
    case 'open-server': {
      const name = data?.['server']
      return typeof name === 'string'
        ? { to: { page: 'servers', name }, label: t`Open “${name}”` }
        : { to: { page: 'servers' }, label: t`Open servers` }
    }
    case 'edit-config':
      return { to: { page: 'servers', name: '', tab: 'config' }, label: t`Open the file` }
    default:
      return undefined
  }
}

/** An error of the host: what happened, what to do, and the buttons for it. */
export function ErrorNotice({ error, onRetry }: { readonly error: ErrorValue; readonly onRetry?: (() => void) | undefined }) {
  const { message, quote, remedy, action } = describeError(error)
  const link = linkOf(action, error)
  return (
    <Notice
      tone="bad"
      title={<VisibleText text={message} />}
      action={
        (onRetry || link) && (
          <span className="row">
            {link && <SmallLink to={link.to}>{link.label}</SmallLink>}
            {onRetry && <SmallButton onClick={onRetry}>{t`Try again`}</SmallButton>}
          </span>
        )
      }
    >
      {remedy}
      {quote !== undefined && <> {tx`Response: ${<VisibleText as="q" text={quote} />}`}</>}
    </Notice>
  )
}
