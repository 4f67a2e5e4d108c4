// The launch of a server: the exact command, word by word, before anything of it runs.

import { useMemo, useState } from 'react'
import { disguisedParts } from '#app/consent/display/disguised-parts.ts'
import { whySentence } from '#app/consent/display/request-title.ts'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { readsSecrets, useTypedGrants } from '#renderer/features/sandbox/grant-editor.tsx'
import { type GrantRefusal, refusalOf } from '#renderer/features/sandbox/grant-refusal.ts'
import { useRequestDraft, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { anyHidden, VisibleText } from '#renderer/ui/visible-text.tsx'
import { WhyAsked } from '../request/request-frame.tsx'
import { YesNoRequest } from '../request/yes-no-request.tsx'
import { ChangedParts } from '../tool-call/diff-view.tsx'
import { CommandLineView, launchGrants, type SandboxEdit } from './command-line-view.tsx'
import { launchDiff, sandboxLines } from './launch-diff.ts'

/** Parts of the launch that hold invisible characters, by their labels on the card. */
function hiddenIn(target: LaunchTarget): string[] {
  const named: readonly (readonly [string, boolean])[] =
    target.transport === 'stdio'
      ? [
          [t`The program`, anyHidden(target.command)],
          ...target.args.map((arg, index) => [t`Argument ${index + 1}`, anyHidden(arg)] as const),
          [t`The folder`, anyHidden([target.cwd ?? '', target.folder ?? ''])],
          [t`What the sandbox allows`, anyHidden(target.sandbox?.kind === 'on' ? sandboxLines(target.sandbox) : [])],
          [t`The name of a variable`, anyHidden([...target.envNames])],
          ...(target.variables ?? []).map(({ name, value }) => [t`The value of ${name}`, anyHidden(value)] as const),
        ]
      : [
          [t`The address`, anyHidden(target.url)],
          [t`The name of a header`, anyHidden([...target.headerNames])],
        ]
  return named.flatMap(([name, hidden]) => (hidden ? [name] : []))
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
  const hidden = hiddenIn(target)
  const disguised = disguisedParts(target)
  const without = chosen?.kind === 'off'
  const secrets = chosen?.kind === 'on' && readsSecrets(chosen.grants)
  const chooses = target.transport === 'stdio' && target.variables !== undefined
  const plain =
    without || secrets || hidden.length > 0 || chooses || disguised.length > 0 || previous !== undefined || changedValues !== undefined
  return { hidden, disguised, without, plain }
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
  const { hidden, without, plain } = useMemo(() => launchConcerns(request, draft), [request, draft])
  const program = request.target.transport === 'stdio'
  const sandboxed = edit?.chosen.kind === 'on'
  const update = request.why.kind === 'package-update'
  return (
    <YesNoRequest
      request={request}
      content={JSON.stringify([request.fingerprint, draft])}
      // The fingerprint of exactly this command is approved; any change asks again.
      allowed={{ scope: 'always', ...(draft && { sandbox: draft }) }}
      onFailed={onFailed}
      impossible={isPending}
      problem={pendingGrant(isPending)}
      plain={plain}
      yes={yesWords(request, { without, hidden: hidden.length > 0 })}
      no={update ? t`Keep the version` : program ? t`Don’t run` : t`Don’t connect`}
    >
      <p className="dim">
        {program
          ? sandboxed
            ? t`To start “${request.server}”, Assent runs exactly this, without a shell, in a sandbox. What is not listed is blocked.`
            : t`To start “${request.server}”, Assent runs exactly this, without a shell. It can read and change what you can.`
          : t`To use “${request.server}”, Assent connects to exactly this address. Nothing is sent before you say so.`}
      </p>
      <LaunchDetails request={request} draft={draft} edit={edit} />
      <WhyAsked>
        {whySentence(request.why)}{' '}
        {request.connectionTest
          ? t`It runs once, to be tried out. If you then save exactly this, you are not asked again.`
          : update
            ? t`Your rules go on for tools whose definitions stay the same. Until you say yes, the version that you allowed is started.`
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
        <BadNotice key={text} title={tx`${<VisibleText as="b" text={text} />} has letters of another alphabet.`}>
          {like === undefined
            ? t`Read it letter by letter. Go on only if you know why.`
            : t`It looks like “${like}”, and is not. Go on only if you know why.`}
        </BadNotice>
      ))}
      {request.changedValues && (
        <WarnNotice title={<VisibleText text={t`The value of ${request.changedValues.join(', ')} has changed since you allowed this.`} />}>
          {request.previous
            ? t`Values are not shown.`
            : t`Everything else is as it was. If you did not change it, find out who did before you allow it.`}{' '}
          {t`If you allow it, its rules end: another value may mean another account.`}
        </WarnNotice>
      )}
      {request.valuesUnknown && (
        <WarnNotice title={t`The keyring doesn’t tell whether its values are still those that you allowed.`}>
          {tx`It may be locked, or a new one. ${request.previous ? null : t`Everything else is as it was.`}`}
        </WarnNotice>
      )}
      {request.previous && (
        <>
          {update ? (
            <p>{versionsOf(request.previous, request.target)}</p>
          ) : (
            <WarnNotice title={t`This is not what you allowed before.`}>
              {t`If you did not change it, find out who did before you allow it.`}
            </WarnNotice>
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
      action={isSaved && <SmallLink to={{ page: 'servers', name: request.server, tab: 'details' }}>{t`Open its settings`}</SmallLink>}
      title={
        where.length > 1
          ? t`${where[0]} and ${where.length - 1} more hold a character that can’t be seen.`
          : t`${where[0]} holds a character that can’t be seen.`
      }
    >
      {t`It is spelled out where it stands, and may be an accident of what was pasted.`}{' '}
      {isSaved
        ? t`Correct it in the settings of this server, or go on only if you know why it is there.`
        : t`Correct it in the form, or go on only if you know why it is there.`}
    </BadNotice>
  )
}

function yesWords({ target, why }: LaunchRequest, { without, hidden }: { readonly without: boolean; readonly hidden: boolean }): string {
  if (why.kind === 'package-update') return t`Use it from the next start`
  if (target.transport !== 'stdio') return t`Connect`
  if (without) return t`Run without sandbox`
  return hidden ? t`Run it as it is` : t`Run it`
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
      {masked && (
        <p className="help">
          {changed.length > 0
            ? t`What looked like a secret was not kept: it may have changed too.`
            : t`What changed is a part that looks like a secret. What it was is not kept.`}
        </p>
      )}
    </>
  )
}
