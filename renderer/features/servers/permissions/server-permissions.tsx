// The tab with all that a server may do: what its sandbox refused, what it grants and what was reached, the folders it is told of, and
// what it may have of the model.
import { useState } from 'react'
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import type { SamplingBudget } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import type { EditField } from '#app/server/doctor.ts'
import { attemptDays, type ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { SamplingBudgetLine } from '#renderer/features/consent/sampling/sampling-parts.tsx'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { attemptKey, BlockedRow, isBlocked, RestartOffer } from '#renderer/features/sandbox/blocked-attempts.tsx'
import type { KnownAttempts } from '#renderer/stores/sandbox-attempts.ts'
import { useActions, useConsent, useSandboxAttempts, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { RadioList } from '#renderer/ui/field.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { ReachedSection, SandboxSection } from './sandbox-section.tsx'

// What a server may have of the model: tokens a day, and what happens beyond them.

const everyMs = 2000

export function SamplingSection({ name }: { readonly name: string }) {
  const { ask } = useActions()
  const { value: day, reload } = useHostAnswer('server.sampling', { name }, undefined, everyMs)
  if (!day) return null
  const save = async (change: Partial<SamplingBudget>): Promise<void> => {
    await ask('server.setSamplingBudget', { name, budget: { ...day.budget, ...change } })
    reload()
  }
  return (
    <section className="sec" aria-labelledby={`sampling-of-${name}`}>
      <h3 id={`sampling-of-${name}`}>{t`Answers of your model`}</h3>
      <dl className="kv">
        <SamplingBudgetLine server={name} day={day} />
      </dl>
      <NumberSetting
        label={t`Tokens a day`}
        unit={t`tokens`}
        value={day.budget.tokensPerDay}
        min={1}
        max={1_000_000_000}
        onSave={(tokensPerDay) => void save({ tokensPerDay })}
      />
      <RadioList
        label={t`Beyond that`}
        value={day.budget.over}
        choices={[
          { value: 'ask', label: t`Ask` },
          { value: 'refuse', label: t`Refuse until tomorrow` },
        ]}
        onChange={(over) => void save({ over })}
      />
    </section>
  )
}

interface ServerPermissionsProps {
  readonly server: ServerSummary
  readonly onEdit: (field?: EditField) => void
}

export function ServerPermissions({ server, onEdit }: ServerPermissionsProps) {
  const { name, sandbox, nextSandbox, state } = server
  const isReady = state.kind === 'ready'
  // What is allowed once holds from the next start on, and is no part of what the host says of that start.
  const [allowedOnce, setAllowedOnce] = useState<string | undefined>(undefined)
  if (allowedOnce !== undefined && (allowedOnce !== name || !isReady)) setAllowedOnce(undefined)
  const sees = sandbox?.kind === 'on'
  const known = useSandboxAttempts(sees ? name : undefined)
  const attempts = known?.value?.attempts ?? []
  return (
    <>
      {sees && <BlockedSection name={name} known={known} onWaits={() => setAllowedOnce(name)} />}
      {isReady && (nextSandbox || allowedOnce === name) && <RestartOffer server={name} onRestart={() => setAllowedOnce(undefined)} />}
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
  /** An answer holds from the next start on. */
  readonly onWaits: () => void
}

function BlockedSection({ name, known, onWaits }: BlockedSectionProps) {
  const { go } = useActions()
  const { sandboxAttempts } = useStores()
  const now = useNow(60_000)
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
      {!known && <Loading />}
      {known?.value && blocked.length === 0 && <p className="dim">{t`None`}</p>}
      {blocked.length > 0 && (
        <ul className="blocked">
          {blocked.map((attempt: ListedAttempt) => (
            <BlockedRow
              key={attemptKey(attempt)}
              server={name}
              attempt={attempt}
              now={now}
              onAllowed={(holds) => holds === 'next-start' && onWaits()}
            />
          ))}
        </ul>
      )}
      {(known?.value?.lost ?? 0) > 0 && <p className="help">{t`Only some are listed.`}</p>}
    </section>
  )
}

/** Folders that a server is told of when it asks (MCP, "Roots"). */
function ServerRoots({ name }: { readonly name: string }) {
  const { ask } = useActions()
  const os = useOs()
  // An answer in another window may have agreed to some.
  const waiting = useConsent((state) => state.requests.filter((one) => one.kind === 'roots' && one.server === name).length)
  const folders = useFolders({ kind: 'server', name }, waiting)
  const always = folders.told.filter(({ conversationId }) => conversationId === undefined).flatMap(({ uris }) => uris)
  const chats = folders.told.length - (always.length > 0 ? 1 : 0)
  const askAgain = async (): Promise<void> => {
    if (await ask('folder.askAgain', { server: name })) await folders.refresh()
  }
  const paths = <VisibleText className="mono wrap-any" text={always.map((uri) => pathOfFileUri(uri, os)).join(', ')} />
  return (
    <section className="sec">
      <h3 className="h3">{t`Shared folders`}</h3>
      <p className="lede">{tx`${<ServerName name={name} />} learns these paths, once you allow it.`}</p>
      <FolderList folders={folders} title={t`Shared folders`} none={t`None. Those in Settings apply.`} />
      {folders.told.length > 0 && (
        <div className="row wrap">
          <p className="dim grow">
            {tx`Shared without asking: ${listNodes([
              ...(always.length > 0 ? [paths] : []),
              ...(chats === 0 ? [] : [t`${chats} {chat|chats}`]),
            ])}.`}
          </p>
          <SmallButton onClick={() => void askAgain()}>{t`Ask again`}</SmallButton>
        </div>
      )}
    </section>
  )
}
