// The tab with all that a server may do: what its sandbox refused, what it grants and what was reached, the folders it is told of, and
// what it may have of the model.
import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { EditField } from '#app/server/doctor.ts'
import { attemptDays, type ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { attemptKey, BlockedRow, isBlocked, RestartOffer } from '#renderer/features/sandbox/blocked-attempts.tsx'
import type { KnownAttempts } from '#renderer/stores/sandbox-attempts.ts'
import { useActions, useSandboxAttempts, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton } from '#renderer/ui/button.tsx'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { ServerRoots } from './roots-section.tsx'
import { SamplingSection } from './sampling-section.tsx'
import { ReachedSection, SandboxSection } from './sandbox-section.tsx'

interface ServerPermissionsProps {
  readonly server: ServerSummary
  readonly onEdit: (field?: EditField) => void
}

export function ServerPermissions({ server, onEdit }: ServerPermissionsProps) {
  const { name, sandbox } = server
  const sees = sandbox?.kind === 'on'
  const known = useSandboxAttempts(sees ? name : undefined)
  const attempts = known?.value?.attempts ?? []
  return (
    <>
      {sees && <BlockedSection name={name} known={known} />}
      <SandboxSection key={name} server={server} attempts={attempts} onEdit={onEdit} />
      {sees && known?.value && <ReachedSection attempts={attempts} />}
      <ServerRoots name={name} />
      <SamplingSection key={`sampling ${name}`} name={name} />
    </>
  )
}

interface BlockedSectionProps {
  readonly name: string
  readonly known: KnownAttempts | undefined
}

function BlockedSection({ name, known }: BlockedSectionProps) {
  const { go } = useActions()
  const { sandboxAttempts } = useStores()
  const now = useNow(60_000)
  const [waitsForStart, setWaitsForStart] = useState<boolean>(false)
  const blocked = (known?.value?.attempts ?? []).filter(isBlocked)
  return (
    <section className="sec" aria-labelledby={`blocked-of-${name}`}>
      <div className="row">
        <h3 className="h3 grow" id={`blocked-of-${name}`}>
          {t`Blocked in the last ${attemptDays} days`}
        </h3>
        {blocked.length > 0 && <SmallGhostButton onClick={() => go('server.clearSandboxAttempts', { name })}>{t`Clear`}</SmallGhostButton>}
      </div>
      {known?.error && <ErrorNotice error={known.error} onRetry={() => sandboxAttempts.reload(name)} />}
      {!known && <Loading what={t`blocked attempts`} />}
      {known?.value && blocked.length === 0 && <p className="dim">{t`Nothing was blocked.`}</p>}
      {blocked.length > 0 && (
        <ul className="blocked">
          {blocked.map((attempt: ListedAttempt) => (
            <BlockedRow
              key={attemptKey(attempt)}
              server={name}
              attempt={attempt}
              now={now}
              onAllowed={(holds) => setWaitsForStart((before) => before || holds === 'next-start')}
            />
          ))}
        </ul>
      )}
      {(known?.value?.lost ?? 0) > 0 && <p className="help">{t`Not all are listed: there were too many.`}</p>}
      {waitsForStart && <RestartOffer server={name} onRestart={() => setWaitsForStart(false)} />}
    </section>
  )
}
