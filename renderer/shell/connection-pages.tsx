// Pages and the bar for a missing host: connecting, lost, signed out, not started.
import { useEffect, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'

/** `quietFirst`: the first connection is quick, so nothing is shown for 600 ms. */
export function ConnectionLostBar({ quietFirst = false }: { readonly quietFirst?: boolean }) {
  const [quiet, setQuiet] = useState(quietFirst)
  useEffect(() => {
    if (!quiet) return
    const timer = setTimeout(() => setQuiet(false), 600)
    return () => clearTimeout(timer)
  }, [quiet])
  if (quiet) return <div className="topbar-lost" style={{ visibility: 'hidden' }} />
  return (
    <div className="topbar-lost" role="status">
      <Spinner />
      {quietFirst
        ? t`Connecting to Assent.`
        : t`The connection to Assent is lost. It connects again by itself; what you write stays here and waits.`}
    </div>
  )
}

export function RefusedPage() {
  return (
    <main className="whole">
      <div className="stack">
        <WarnNotice icon="lock" title={t`This page is signed out of Assent.`}>
          {tx`Its link was used before, or Assent was started anew. Use the address that Assent printed when it started, or start it again with ${<span className="mono">{t`npm start`}</span>}. Your chats are safe.`}
        </WarnNotice>
      </div>
    </main>
  )
}

export function StartErrorPage({ error }: { readonly error: ErrorValue }) {
  return (
    <main className="whole">
      <div className="stack">
        <h1 className="h3">{t`Assent could not start`}</h1>
        <ErrorNotice error={error} onRetry={() => window.location.reload()} />
      </div>
    </main>
  )
}
