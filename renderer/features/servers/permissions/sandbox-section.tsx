// The sandbox of a server on its page: its grants, edited at once and kept with the approved launch, or why there is none.
import { type ReactNode, useState } from 'react'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { EditField } from '#app/server/doctor.ts'
import { attemptDays, hostPatternOf, type ListedAttempt, unusedGrants } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants, type SandboxGrants, type SandboxSettings, type ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { variableEffectOf } from '#app/text/environment-names.ts'
import { EnvironmentRow, GrantEditor, useTypedGrants } from '#renderer/features/sandbox/grant-editor.tsx'
import { type GrantRefusal, refusalOf } from '#renderer/features/sandbox/grant-refusal.ts'
import { MissingEngine } from '#renderer/features/sandbox/missing-engine.tsx'
import { exemptionWords } from '#renderer/features/sandbox/sandbox-labels.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { AlertDialog } from '#renderer/ui/alert-dialog.tsx'
import { SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { BadNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface SandboxSectionProps {
  readonly server: ServerSummary
  readonly attempts: readonly ListedAttempt[]
  readonly onEdit: (field?: EditField) => void
}

/** Sends the person's change; what the host refuses stays shown with its reason. */
function useSandboxChange(name: string, known: ServerSandbox | undefined) {
  const { attempt, sayFailure } = useActions()
  const base = JSON.stringify(known ?? null)
  const [draft, setDraft] = useState<{ readonly base: string; readonly grants: SandboxGrants } | undefined>(undefined)
  const [refusal, setRefusal] = useState<GrantRefusal | undefined>(undefined)
  const change = async (sandbox: SandboxSettings): Promise<void> => {
    setRefusal(undefined)
    setDraft(sandbox.kind === 'on' ? { base, grants: sandbox.grants } : undefined)
    const outcome = await attempt('server.setSandbox', { name, sandbox })
    if (outcome.ok) return
    const refused = refusalOf(outcome.error)
    setRefusal(refused)
    if (!refused) {
      setDraft(undefined)
      sayFailure(outcome.error)
    }
  }
  return { change, draft: draft?.base === base ? draft.grants : undefined, refusal }
}

export function SandboxSection({ server, attempts, onEdit }: SandboxSectionProps) {
  const { name, sandbox, nextSandbox } = server
  const known = nextSandbox ?? sandbox
  const { change, draft, refusal } = useSandboxChange(name, known)
  const [leaving, setLeaving] = useState(false)
  const environment = <ServerEnvironment server={server} onEdit={onEdit} />
  const isOn = known?.kind === 'on'
  const canTurn = (isOn && known.grants !== undefined) || (known?.kind === 'off' && (known.by === 'person' || known.by === 'earlier'))
  return (
    <section className="sec may-do" aria-labelledby={`sandbox-of-${name}`}>
      <div className="may-head">
        <h3 className="h3" id={`sandbox-of-${name}`}>
          {t`Sandbox`}
        </h3>
        <span className="grow" />
        {isOn && <span className="help">{t`Everything else is blocked`}</span>}
        {canTurn && (
          <Switch
            checked={isOn}
            label={t`Run “${name}” in a sandbox`}
            hideLabel
            onChange={(on) => (on ? void change({ kind: 'on', grants: noGrants }) : setLeaving(true))}
          />
        )}
      </div>
      {refusal && <BadNotice title={<VisibleText text={refusal.message} />} />}
      {isOn && known.grants ? (
        <Grants
          grants={draft ?? known.grants}
          attempts={attempts}
          refusal={refusal}
          onChange={(grants) => void change({ kind: 'on', grants })}
        >
          {environment}
        </Grants>
      ) : (
        <>
          <WithoutGrants server={server} sandbox={known} />
          {server.definition.transport === 'stdio' && <div className="may">{environment}</div>}
        </>
      )}
      <AlertDialog
        open={leaving}
        title={t`Run “${name}” without a sandbox?`}
        go={t`Run without sandbox`}
        stay={t`Cancel`}
        onGo={() => {
          setLeaving(false)
          void change({ kind: 'off' })
        }}
        onStay={() => setLeaving(false)}
      >
        {t`It can read and change what you can, and reach every host.`}
      </AlertDialog>
    </section>
  )
}

interface GrantsProps {
  readonly grants: SandboxGrants
  readonly attempts: readonly ListedAttempt[]
  readonly refusal: GrantRefusal | undefined
  readonly onChange: (grants: SandboxGrants) => void
  readonly children: ReactNode
}

function Grants({ grants, attempts, refusal, onChange, children }: GrantsProps) {
  const typed = useTypedGrants()
  const unused = new Set(unusedGrants(grants, attempts))
  return (
    <GrantEditor
      grants={grants}
      onChange={onChange}
      typed={typed}
      noteOf={(list, value) => (list === 'hosts' && unused.has(value) ? t`not used in ${attemptDays} days` : undefined)}
      refusalOf={(value) => (value === refusal?.path ? refusal.message : undefined)}
    >
      {children}
    </GrantEditor>
  )
}

function ServerEnvironment({ server: { definition }, onEdit }: Pick<SandboxSectionProps, 'server' | 'onEdit'>) {
  const os = useOs()
  if (definition.transport !== 'stdio') return null
  const variables = Object.entries(definition.env).flatMap(([name, value]) => {
    const effect = variableEffectOf(name, os === 'windows')
    return effect ? [{ name, value, effect }] : []
  })
  return (
    <EnvironmentRow names={Object.keys(definition.env)} variables={variables}>
      <span>
        <SmallButton onClick={() => onEdit('env')}>{t`Edit variables…`}</SmallButton>
      </span>
    </EnvironmentRow>
  )
}

/** Why there are no grants to show, and what to do about it. */
function WithoutGrants({ server, sandbox }: { readonly server: ServerSummary; readonly sandbox: ServerSandbox | undefined }) {
  if (sandbox === undefined) return <p className="dim">{t`Start the server to see its sandbox.`}</p>
  switch (sandbox.kind) {
    case 'on':
      return <p className="dim">{t`You are asked at its next start.`}</p>
    case 'missing':
      return <MissingEngine {...sandbox} />
    case 'not-needed':
      return <Notice title={exemptionWords[sandbox.because]} />
    case 'off': {
      const { title, how } = offWords[sandbox.by]
      const action = sandbox.by === 'entry' && (
        <SmallLink to={{ page: 'servers', name: '', tab: 'config' }}>{t`Open servers.json`}</SmallLink>
      )
      return (
        <WarnNotice title={title} action={action || (sandbox.by === 'earlier' && <AskNow server={server} />)}>
          {t`It can read and change what you can, and reach every host.`} {how}
        </WarnNotice>
      )
    }
    default:
      return assertNever(sandbox)
  }
}

function AskNow({ server: { name, state } }: { readonly server: ServerSummary }) {
  const { attempt } = useActions()
  return state.kind === 'ready' ? <SmallButton onClick={() => void attempt('server.restart', { name })}>{t`Restart`}</SmallButton> : null
}

const offWords: Readonly<Record<Extract<ServerSandbox, { kind: 'off' }>['by'], { readonly title: string; readonly how: string }>> = {
  entry: {
    title: t`Not sandboxed: its entry in servers.json says so.`,
    how: t`Remove “sandboxEnabled” from its entry to use one.`,
  },
  person: { title: t`Not sandboxed: you chose so.`, how: '' },
  option: { title: t`Not sandboxed: Assent was started with --sandbox off.`, how: '' },
  earlier: { title: t`Not sandboxed: you allowed it before Assent had sandboxes.`, how: t`You are asked at its next start.` },
}

/** Hosts that it reached. Whether a folder was used is not seen. */
export function ReachedSection({ attempts }: Pick<SandboxSectionProps, 'attempts'>) {
  const now = useNow(60_000)
  const reached = attempts.filter(({ kind, refused }) => kind === 'host' && refused === undefined)
  return (
    <section className="sec">
      <h3 className="h3">{t`Reached in the last ${attemptDays} days`}</h3>
      {reached.length === 0 ? (
        <p className="dim">{t`None`}</p>
      ) : (
        <ul className="blocked">
          {reached.map((attempt) => (
            <li key={`${attempt.target} ${attempt.port}`} className="blocked-row">
              <Icon name="globe" />
              <VisibleText className="what mono" text={hostPatternOf(attempt)} />
              <span className="help num">
                {t`${formatNumber(attempt.count)} {time|times}`} · {formatWhen(attempt.lastAt, now)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
