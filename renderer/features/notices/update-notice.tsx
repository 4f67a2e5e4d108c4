// Updates of the app: the notice above every page, and the line in the settings.
import { lazy, Suspense } from 'react'
import { formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { UpdateAction, UpdateState } from '#app/profile-notice.ts'
import { useActions, useNotices, useSettings } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { Spinner, Track } from '#renderer/ui/icon.tsx'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'

const Markdown = lazy(() => import('../chat/markdown/markdown.tsx').then(({ Markdown: view }) => ({ default: view })))

function useUpdate() {
  const { go, set } = useActions()
  const dismissed = useSettings((state) => state.settings.dismissed)
  return {
    act: (action: UpdateAction): void => go('app.update', { action }),
    isDismissed: (id: string): boolean => dismissed.includes(id),
    dismiss: (id: string): void => set({ dismissed: [...dismissed, id].slice(-200) }),
  }
}

/** Question to the person, or the download that they wait for. Dismissed for one version, and for that step of it. */
export function UpdateNotice({ update }: { readonly update: UpdateState }) {
  const { act, isDismissed, dismiss } = useUpdate()
  if (update.kind === 'failed') return <ErrorNotice error={update.error} onRetry={() => act('check')} />
  if (update.kind === 'downloading')
    return (
      <Notice
        title={t`Assent ${update.version} is available.`}
        action={<SmallButton onClick={() => act('cancel')}>{t`Cancel`}</SmallButton>}
      >
        <span className="row">
          <Track part={update.percent / 100} label={t`Download`} /> {formatPercent(update.percent / 100)}
        </span>
      </Notice>
    )
  if (update.kind !== 'available' && update.kind !== 'ready') return null
  const { kind, version, notes } = update
  const id = `update ${kind} ${version}`
  if (isDismissed(id)) return null
  return (
    <Notice
      title={kind === 'ready' ? t`Assent ${version} is ready.` : t`Assent ${version} is available.`}
      action={
        <span className="row">
          {kind === 'ready' ? (
            <SmallButton onClick={() => act('restart')}>{t`Restart`}</SmallButton>
          ) : (
            <SmallButton onClick={() => act('download')}>{t`Download`}</SmallButton>
          )}
          <IconButton label={t`Dismiss`} icon="close" small onClick={() => dismiss(id)} />
        </span>
      }
    >
      {notes !== '' && (
        <details>
          <summary>{t`Release notes`}</summary>
          <Suspense fallback={<Spinner />}>
            <Markdown text={notes} />
          </Suspense>
        </details>
      )}
    </Notice>
  )
}

/** The state of updates and the way to switch them off; nothing in shells that are not updated by themselves. */
export function UpdateStatus() {
  const { act } = useUpdate()
  const { set } = useActions()
  const wanted = useSettings((state) => state.settings.updates)
  const update = useNotices(({ notices }) => notices.find((notice) => notice.kind === 'update'))?.update
  if (update === undefined) return null
  if (update.kind === 'manual') return <span className="help">{howElse(update.format)}</span>
  if (update.kind === 'off' && update.by === 'policy') return <span className="help">{t`This copy does not update itself.`}</span>
  return (
    <>
      <span className="row wrap" role="status">
        {update.kind === 'checking' && <Spinner label={t`Checking`} />}
        {update.kind === 'none' && update.checkedAt !== undefined && <span className="dim">{t`Up to date`}</span>}
        {(update.kind === 'none' || update.kind === 'failed') && <SmallButton onClick={() => act('check')}>{t`Check again`}</SmallButton>}
      </span>
      <Switch checked={wanted} onChange={(updates) => set({ updates })} label={t`Check for updates`} />
    </>
  )
}

function howElse(format: Extract<UpdateState, { kind: 'manual' }>['format']): string {
  if (format === 'package' || format === 'snap') return t`Your package manager updates Assent.`
  return format === 'read-only' ? t`To get updates, move Assent to a folder you can write.` : t`This copy does not update itself.`
}
