// An error of the host in place: what happened, what to do, and the button for it. While something is fetched: nothing for 300
// ms, then a ring with what it is.
import { useEffect, useState } from 'react'
import { describeError, type ErrorAction } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { Spinner } from './badges.tsx'
import { Button, LinkButton } from './button.tsx'
import { tx } from './lib/translate-elements.ts'
import { Notice } from './notice.tsx'
import { VisibleText } from './visible-text.tsx'

export function Loading({ what }: { readonly what: string }) {
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
          {tx`Reading the ${what}`}
        </>
      ) : null}
    </p>
  )
}

interface ErrorNoticeProps {
  readonly error: ErrorValue
  readonly onRetry?: (() => void) | undefined
  readonly retryLabel?: string
}

function ActionLink({ action, error }: { readonly action: ErrorAction | undefined; readonly error: ErrorValue }) {
  if (action?.kind === 'open-settings') {
    return (
      <LinkButton size="sm" href={hrefOf({ page: 'settings', tab: action.tab })}>
        {t`Open settings`}
      </LinkButton>
    )
  }
  if (action?.kind === 'open-server') {
    const name = typeof error.data?.['server'] === 'string' ? error.data['server'] : undefined
    return (
      <LinkButton size="sm" href={hrefOf({ page: 'servers', ...(name !== undefined && { name }) })}>
        {name === undefined ? t`Open servers` : t`Open “${name}”`}
      </LinkButton>
    )
  }
  if (action?.kind === 'edit-config') {
    return (
      <LinkButton size="sm" href={hrefOf({ page: 'servers', name: '', tab: 'config' })}>
        {t`Open the file`}
      </LinkButton>
    )
  }
  return null
}

/** Who comes back from the place where it is mended tries again. */
function Ways({ action, error, onRetry, retryLabel = t`Try again` }: ErrorNoticeProps & { readonly action: ErrorAction | undefined }) {
  return (
    <span className="row">
      <ActionLink action={action} error={error} />
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </span>
  )
}

export function ErrorNotice(props: ErrorNoticeProps) {
  const { message, quote, remedy, action } = describeError(props.error)
  return (
    <Notice
      tone="bad"
      title={<VisibleText text={message} />}
      action={(props.onRetry || (action && action.kind !== 'retry')) && <Ways {...props} action={action} />}
    >
      {quote !== undefined && <>{tx`Its words: ${<VisibleText as="q" text={quote} />}`} </>}
      {remedy}
    </Notice>
  )
}
