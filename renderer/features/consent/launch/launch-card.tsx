// The launch of a server: the exact command, word by word, before anything of it runs.

import { useContext, useMemo, useState } from 'react'
import { disguisedParts } from '#app/consent/display/disguised-parts.ts'
import { whySentence } from '#app/consent/display/request-title.ts'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { readsSecrets, useTypedGrants } from '#renderer/features/sandbox/grant-editor.tsx'
import { type GrantRefusal, refusalOf } from '#renderer/features/sandbox/grant-refusal.ts'
import { useRequestDraft, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { anyHidden, VisibleText } from '#renderer/ui/visible-text.tsx'
import { WhyAsked } from '../request/request-frame.tsx'
import { InDock } from '../request/use-answer.ts'
import { YesNoRequest } from '../request/yes-no-request.tsx'
import { ChangedParts } from '../tool-call/diff-view.tsx'
import { BriefStart, CommandLineView, launchGrants, PlaceBadge, type SandboxEdit } from './command-line-view.tsx'
import { launchDiff, sandboxLines } from './launch-diff.ts'

/** Parts of the launch that hold invisible characters, by their labels on the card. */
function hiddenIn(target: LaunchTarget): string[] {
  const named: readonly (readonly [string, boolean])[] =
    target.transport === 'stdio'
      ? [
          [t`Program`, anyHidden(target.command)],
          ...target.args.map((arg, index) => [t`Argument ${index + 1}`, anyHidden(arg)] as const),
          [t`Folder`, anyHidden([target.cwd ?? '', target.folder ?? ''])],
          [t`Sandbox`, anyHidden(target.sandbox?.kind === 'on' ? sandboxLines(target.sandbox) : [])],
          [t`Variable`, anyHidden([...target.envNames])],
          ...(target.variables ?? []).map(({ name, value }) => [t`Value of ${name}`, anyHidden(value)] as const),
        ]
      : [
          [t`Address`, anyHidden(target.url)],
          [t`Header`, anyHidden([...target.headerNames])],
        ]
  return named.flatMap(([name, hidden]) => (hidden ? [name] : []))
}

type ReadParts = { readonly hidden: readonly string[]; readonly disguised: ReturnType<typeof disguisedParts> }
const readParts = new WeakMap<LaunchTarget, ReadParts>()

/** Hidden characters and letters of other alphabets in a launch, looked for once: hundreds of long arguments take a while. */
function readOnce(target: LaunchTarget): ReadParts {
  const known = readParts.get(target) ?? { hidden: hiddenIn(target), disguised: disguisedParts(target) }
  readParts.set(target, known)
  return known
}

const proposedIn = ({ target }: LaunchRequest) =>
  target.transport === 'stdio' && target.sandbox?.kind === 'on' ? target.sandbox : undefined

/** Sandbox as the person has it on the card; undefined: there is none to choose. `draft`: their changes to it. */
const chosenIn = (request: LaunchRequest, draft: SandboxSettings | undefined): SandboxSettings | undefined => {
  const proposed = proposedIn(request)
  return proposed && (draft ?? { kind: 'on', grants: launchGrants(proposed) })
}

/** Lists what is to be read before a launch is allowed. `plain`: allowing it is not the highlighted button. */
export function launchConcerns(request: LaunchRequest, draft: SandboxSettings | undefined) {
  const { target, previous, changedValues } = request
  const chosen = chosenIn(request, draft)
  const { hidden, disguised } = readOnce(target)
  const without = chosen?.kind === 'off'
  const secrets = chosen?.kind === 'on' && readsSecrets(chosen.grants)
  const chooses = target.transport === 'stdio' && target.variables !== undefined
  const plain =
    without || secrets || hidden.length > 0 || chooses || disguised.length > 0 || previous !== undefined || changedValues !== undefined
  return { hidden, disguised, without, plain }
}

/** Characters of a command that fit a row. */
const WHOLE_COMMAND_UP_TO = 400

/** Whether a first start may be shown in few lines, and answered together with others: its whole command fits a row, and nothing of it warns. */
export function isPlainStart(request: LaunchRequest, draft: SandboxSettings | undefined): boolean {
  const { why, target, valuesUnknown, connectionTest, expiresAt } = request
  if (why.kind !== 'first-launch' || valuesUnknown || connectionTest || expiresAt !== undefined || draft !== undefined) return false
  const text = target.transport === 'stdio' ? [target.command, ...target.args].join(' ') : target.url
  const isShort = text.length <= WHOLE_COMMAND_UP_TO && JSON.stringify(target).length <= 4 * WHOLE_COMMAND_UP_TO
  return isShort && !launchConcerns(request, undefined).plain
}

/** The sandbox of a launch as the person edits it; `edit` undefined: there is none to choose. */
export function useSandboxEdit(request: LaunchRequest, draft: SandboxSettings | undefined, onDraft: (sandbox: SandboxSettings) => void) {
  const { actions } = useStores()
  const typed = useTypedGrants()
  const [refusal, setRefusal] = useState<GrantRefusal | undefined>(undefined)
  const chosen = chosenIn(request, draft)
  const edit: SandboxEdit | undefined = chosen && {
    chosen,
    onChange: (sandbox) => {
      setRefusal(undefined)
      onDraft(sandbox)
    },
    typed,
    suggested: request.suggested,
    refusal,
    ranWithout: request.why.kind === 'launch-sandbox',
  }
  /** Names the grant that the host refused, in its words. */
  const onFailed = (error: ErrorValue): void => {
    const refused = refusalOf(error)
    if (refused) setRefusal(refused)
    else actions.sayFailure(error)
  }
  return { edit, isPending: chosen?.kind === 'on' && typed.isPending, onFailed }
}

/** Sentence in place of the answer while a grant is typed and not added. */
export const pendingGrant = (isPending: boolean): string | undefined => (isPending ? t`Add what you typed, or close its field.` : undefined)

export function LaunchCard({ request }: { readonly request: LaunchRequest }) {
  const { requestDrafts } = useStores()
  const { sandbox: draft } = useRequestDraft(request.id)
  const { edit, isPending, onFailed } = useSandboxEdit(request, draft, (sandbox) => requestDrafts.set(request.id, { sandbox }))
  const { without, plain } = useMemo(() => launchConcerns(request, draft), [request, draft])
  const program = request.target.transport === 'stdio'
  const update = request.why.kind === 'package-update'
  const [isOpen, setOpen] = useState(false)
  const folds = useContext(InDock) !== undefined && isPlainStart(request, draft)
  return (
    <YesNoRequest
      request={request}
      content={JSON.stringify([request.fingerprint, draft, isOpen])}
      beside={folds && !isOpen && <PlaceBadge target={request.target} />}
      headActions={folds && <SmallGhostButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{t`Details`}</SmallGhostButton>}
      // The fingerprint of exactly this command is approved; any change asks again.
      allowed={{ scope: 'always', ...(draft && { sandbox: draft }) }}
      onFailed={onFailed}
      impossible={isPending}
      problem={pendingGrant(isPending)}
      plain={plain}
      yes={yesWords(request, { without })}
      no={update ? t`Keep the version` : program ? t`Don’t start` : t`Don’t connect`}
    >
      {folds && !isOpen ? (
        <BriefStart target={request.target} />
      ) : (
        <>
          {program && <p className="dim">{t`Assent runs exactly this, without a shell.`}</p>}
          <LaunchDetails request={request} draft={draft} edit={edit} />
        </>
      )}
      <WhyAsked>
        {whySentence(request.why)}{' '}
        {request.connectionTest
          ? t`A test run. If you save exactly this, you are not asked again.`
          : update
            ? t`Rules stay for tools that have not changed.`
            : t`You are asked again only if the command changes.`}
      </WhyAsked>
    </YesNoRequest>
  )
}

interface LaunchDetailsProps {
  readonly request: LaunchRequest
  readonly draft: SandboxSettings | undefined
  readonly edit: SandboxEdit | undefined
  /** The server is not saved yet, and part of a review of several. */
  readonly inReview?: boolean
}

/** Everything that an approval of the launch is for, with its warnings. */
export function LaunchDetails({ request, draft, edit, inReview = false }: LaunchDetailsProps) {
  const { hidden, disguised } = useMemo(() => launchConcerns(request, draft), [request, draft])
  const update = request.why.kind === 'package-update'
  return (
    <CommandLineView target={request.target} edit={edit}>
      {hidden.length > 0 && <HiddenParts request={request} where={hidden} isSaved={!inReview && !request.connectionTest} />}
      {disguised.map(({ text, like }) => (
        <BadNotice key={text} title={tx`Letters of another alphabet: ${<VisibleText as="b" text={text} />}`}>
          {like === undefined ? t`Read it letter by letter.` : t`The name looks like “${like}”.`}
        </BadNotice>
      ))}
      {request.changedValues && (
        <WarnNotice title={<VisibleText text={t`Changed since you allowed it: ${request.changedValues.join(', ')}`} />}>
          {t`If you did not change it, find out who did.`} {t`Its rules end: another value may mean another account.`}
        </WarnNotice>
      )}
      {request.valuesUnknown && <WarnNotice title={t`The keyring cannot confirm its secret values`} />}
      {request.previous && (
        <>
          {update ? (
            <p>{versionsOf(request.previous, request.target)}</p>
          ) : (
            <WarnNotice title={t`Changed since you allowed it`}>{t`If you did not change it, find out who did.`}</WarnNotice>
          )}
          <ChangedLaunch before={request.previous} after={request.target} />
        </>
      )}
    </CommandLineView>
  )
}

/** `where`: labels of the parts that hold hidden characters. */
function HiddenParts({
  request,
  where,
  isSaved,
}: {
  readonly request: LaunchRequest
  readonly where: readonly string[]
  readonly isSaved: boolean
}) {
  return (
    <BadNotice
      action={isSaved && <SmallLink to={{ page: 'servers', name: request.server, tab: 'details' }}>{t`Open settings`}</SmallLink>}
      title={t`Hidden characters: ${formatList(where)}.`}
    >
      {t`They are spelled out. Go on only if you know why they are there.`}
    </BadNotice>
  )
}

function yesWords({ target, why }: LaunchRequest, { without }: { readonly without: boolean }): string {
  if (why.kind === 'package-update') return t`Use it from the next start`
  if (target.transport !== 'stdio') return t`Connect`
  if (without) return t`Run without sandbox`
  return t`Start`
}

/** Names both versions of an update: “notes-mcp 1.2.3 → 1.3.0”. */
function versionsOf(before: LaunchTarget, after: LaunchTarget): string {
  const [was, is] = [before, after].map((target) => (target.transport === 'stdio' ? target.package : undefined))
  return `${is?.name ?? ''} ${was?.version ?? ''} → ${is?.version ?? ''}`
}

function ChangedLaunch({ before, after }: { readonly before: LaunchTarget; readonly after: LaunchTarget }) {
  const { changed, masked } = useMemo(() => launchDiff(before, after), [before, after])
  return (
    <>
      <ChangedParts parts={changed} />
      {masked && <p className="help">{t`What looks like a secret is not kept, and may have changed.`}</p>}
    </>
  )
}
