// Servers of other apps in one review: which are added, and their starts, each with all that its own card would show. One answer for
// all, which waits and is highlighted as that of a launch is.
import { createContext, useContext, useEffect, useState } from 'react'
import type { ConfigImportRequest, LaunchRequest } from '#app/consent/request.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ImportDraft } from '#renderer/stores/request-drafts.ts'
import { useRequestDraft, useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Checkbox, FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { BadNotice } from '#renderer/ui/notice.tsx'
import { anyHidden, VisibleText } from '#renderer/ui/visible-text.tsx'
import { LookAlikeName, WhyAsked } from '../request/request-frame.tsx'
import { YesNoRequest } from '../request/yes-no-request.tsx'
import { ChangedParts } from '../tool-call/diff-view.tsx'
import { CommandLineView } from './command-line-view.tsx'
import { LaunchDetails, launchConcerns, pendingGrant, useSandboxEdit } from './launch-card.tsx'
import { launchDiff } from './launch-diff.ts'
import './config-import.css'

type Imported = ConfigImportRequest['servers'][number]

/** Gives a server another name, and asks anew, where the import is chosen. Returns why the name cannot be. */
export const RenameImport = createContext<((name: string, next: string) => string | undefined) | undefined>(undefined)

/** Parts of a server that are approved by its import, beside its start. */
const hasHidden = ({ launch: _launch, ...server }: Imported): boolean => anyHidden(JSON.parse(JSON.stringify(server)))

export function ConfigImportCard({ request }: { readonly request: ConfigImportRequest }) {
  const { requestDrafts, actions } = useStores()
  const { imports: drafts = {} } = useRequestDraft(request.id)
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<ErrorValue | undefined>(undefined)
  const chosen = request.servers.filter(({ name }) => drafts[name]?.left !== true)
  const hidden = chosen.some(hasHidden)
  const plain = hidden || chosen.some(({ name, launch }) => launch && launchConcerns(launch, drafts[name]?.sandbox).plain)
  const change = (name: string, draft: ImportDraft): void => {
    setFailed(undefined)
    requestDrafts.set(request.id, { imports: { ...drafts, [name]: { ...drafts[name], ...draft } } })
  }
  const isPending = chosen.some(({ name }) => pending.has(name))
  const starts = chosen.some(({ launch }) => launch)
  return (
    <YesNoRequest
      request={request}
      content={JSON.stringify([request.id, drafts])}
      allowed={{
        scope: 'once',
        imports: Object.fromEntries(
          chosen.map(({ name }) => {
            const sandbox = drafts[name]?.sandbox
            return [name, sandbox ? { sandbox } : {}]
          }),
        ),
      }}
      onFailed={(error) => {
        setFailed(error)
        if (typeof error.data?.['path'] !== 'string') actions.sayFailure(error)
      }}
      impossible={isPending || chosen.length === 0}
      problem={pendingGrant(isPending)}
      plain={plain}
      yes={t`Import ${chosen.length} {server|servers}`}
      no={t`Don’t import`}
    >
      <p className="dim">{starts ? t`Each may then start as shown.` : t`Each asks before its first start.`}</p>
      {hidden && <BadNotice title={t`Hidden characters`}>{t`They are spelled out. Go on only if you know why they are there.`}</BadNotice>}
      <div className="imports">
        {request.servers.map((server) => (
          <ImportedServer
            key={server.name}
            server={server}
            draft={drafts[server.name] ?? {}}
            failed={failed}
            onDraft={(draft) => change(server.name, draft)}
            onPending={(is) =>
              setPending((before) => {
                const next = new Set(before)
                if (is) next.add(server.name)
                else next.delete(server.name)
                return next
              })
            }
          />
        ))}
      </div>
      <WhyAsked>{t`A changed command asks before it runs.`}</WhyAsked>
    </YesNoRequest>
  )
}

interface ImportedServerProps {
  readonly server: Imported
  readonly draft: ImportDraft
  readonly failed: ErrorValue | undefined
  readonly onDraft: (draft: ImportDraft) => void
  readonly onPending: (is: boolean) => void
}

function ImportedServer({ server, draft, failed, onDraft, onPending }: ImportedServerProps) {
  const { name, from, file, target, secrets, replaces, launch } = server
  const isChosen = draft.left !== true
  return (
    <section className={cx('imported', !isChosen && 'left')} aria-label={name}>
      <div className="row wrap">
        <Checkbox
          checked={isChosen}
          label={<VisibleText className="sr" text={t`Import ${`“${name}”`}`} />}
          onChange={(next) => onDraft({ left: !next })}
        />
        <ServerMark name={name} />
        <ImportName name={name} />
        {replaces ? <Badge tone="warn">{t`replaces the one here`}</Badge> : null}
        {secrets.length > 0 ? <Badge>{t`${secrets.length} {secret|secrets}`}</Badge> : null}
        <span className="grow" />
        <span className="help wrap-any from">
          {from}: <VisibleText className="mono" text={file} />
        </span>
      </div>
      {isChosen && (
        <>
          <LookAlikeName server={name} />
          {launch ? (
            <ReviewedStart launch={launch} draft={draft} failed={failed} onDraft={onDraft} onPending={onPending} />
          ) : target ? (
            <CommandLineView target={target} />
          ) : (
            <p className="help">{t`Comes with Assent`}</p>
          )}
          {replaces?.target && target ? <ChangedParts parts={launchDiff(replaces.target, target).changed} /> : null}
        </>
      )}
    </section>
  )
}

interface ReviewedStartProps extends Omit<ImportedServerProps, 'server'> {
  readonly launch: LaunchRequest
}

function ReviewedStart({ launch, draft, failed, onDraft, onPending }: ReviewedStartProps) {
  const { edit, isPending, onFailed } = useSandboxEdit(launch, draft.sandbox, (sandbox) => onDraft({ sandbox }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of each change, and gone with the server
  useEffect(() => {
    onPending(isPending)
    return () => onPending(false)
  }, [isPending])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal is placed once, at the server whose sandbox has the folder
  useEffect(() => {
    const grants = edit?.chosen.kind === 'on' ? edit.chosen.grants : undefined
    const isHere = grants && [...grants.read, ...grants.write].some((path) => path === failed?.data?.['path'])
    if (failed && isHere) onFailed(failed)
  }, [failed])
  return <LaunchDetails request={launch} draft={draft.sandbox} edit={edit} inReview />
}

/** Name that the server gets, which can be edited where the import is chosen. */
function ImportName({ name }: { readonly name: string }) {
  const rename = useContext(RenameImport)
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  if (!rename || typed === undefined)
    return (
      <>
        <VisibleText as="b" text={name} />
        {rename ? <IconButton label={t`Rename “${name}”`} icon="edit" small onClick={() => setTyped(name)} /> : null}
      </>
    )
  const close = (): void => {
    setTyped(undefined)
    setProblem(undefined)
  }
  const done = (): void => {
    const wrong = typed === name ? undefined : rename(name, typed)
    if (wrong === undefined) close()
    else setProblem(wrong)
  }
  return (
    <>
      <TextInput
        aria-label={t`Name of “${name}”`}
        aria-invalid={problem === undefined ? undefined : true}
        className="bare-name"
        autoFocus
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) done()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      {problem === undefined ? null : <FieldError>{problem}</FieldError>}
    </>
  )
}
