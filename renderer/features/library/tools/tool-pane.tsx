// One tool: the server's description, whether it is the definition that the person accepted, and runs of it by hand. The tool is fetched
// when it is opened, and again when its server's lists change or a run may have accepted it.

import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import { isServerOff, isToolOff } from '#app/chat/tools/tool-switches.ts'
import { type ApprovedDefinition, definitionOf } from '#app/consent/tool-definition.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { blankFor } from '#app/schema-form/blank-value.ts'
import { type CommandedCall, type CommandShell, callCommand } from '#app/server/call-command.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { ServerDock } from '#renderer/features/consent/dock/dock.tsx'
import { LongText } from '#renderer/features/consent/tool-call/argument-list.tsx'
import { ChangedDefinition } from '#renderer/features/consent/tool-call/tool-description.tsx'
import { ToolFacts } from '#renderer/features/servers/tools/tool-details.tsx'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { hrefOf } from '#renderer/router.ts'
import { runDraftKey } from '#renderer/stores/manual-runs-store.ts'
import { useActions, useManualRuns, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, GhostButton, PrimaryButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { Badge, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { SchemaEditor, useSchemaText } from '#renderer/ui/schema-form/schema-editor.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { useCurrentChat } from '../library-frame.tsx'
import { isRunUnfinished, RunView, type RunViewProps, useRuns } from './run-view.tsx'
import type { FoundTool } from './tool-filter.ts'

interface RunHistoryProps extends Pick<RunViewProps, 'onEdit' | 'onAgain'> {
  readonly server: string
  readonly tool: string
  readonly begun: ManualRun | undefined
}

/** The runs of a tool, newest first. The one just begun stands open. */
function RunHistory({ server, tool, begun, onEdit, onAgain }: RunHistoryProps) {
  const { runs, more, loadMore, forget } = useRuns(server, tool, begun)
  if (runs.length === 0) return null
  return (
    <div className="stack tight">
      <div className="row">
        <h4 className="label">{t`Runs`}</h4>
        <span className="grow" />
        {runs.some((run) => !isRunUnfinished(run)) && <SmallGhostButton onClick={forget}>{t`Clear`}</SmallGhostButton>}
      </div>
      {runs.map((run) => (
        <RunView key={run.id} run={run} first={run.id === begun?.id} onEdit={onEdit} onAgain={onAgain} />
      ))}
      {more && (
        <p>
          <SmallGhostButton onClick={loadMore}>{t`Show earlier runs`}</SmallGhostButton>
        </p>
      )}
    </div>
  )
}

interface RunToolProps {
  readonly server: string
  readonly tool: ToolEntry
  /** Called when the host refuses since the tool has changed. */
  readonly onChanged: () => void
}

/** Runs a tool by hand. Pressing Run is the consent to exactly these arguments; the host asks again only for a changed tool. */
function RunTool({ server, tool, onChanged }: RunToolProps) {
  const id = useId()
  const { attempt } = useActions()
  const { manualRuns } = useStores()
  const { run: keys } = useChords()
  const os = useOs()
  const key = runDraftKey(server, tool.name)
  const draft = useManualRuns((state) => state.drafts[key])
  const [wrong, setWrong] = useState(0)
  const [refused, setRefused] = useState<ErrorValue | undefined>(undefined)
  const [begun, setBegun] = useState<ManualRun | undefined>(undefined)
  const write = (text: string): void => {
    setWrong(0)
    setRefused(undefined)
    manualRuns.setState(({ byId, drafts }) => ({ byId, drafts: { ...drafts, [key]: text } }))
  }
  const editor = useSchemaText({ schema: tool.inputSchema, text: draft ?? firstText(tool), onText: write })

  const send = async (text: string): Promise<void> => {
    setWrong(0)
    setRefused(undefined)
    const outcome = await attempt('tool.run', { server, tool: tool.name, fingerprint: tool.fingerprint, arguments: text })
    if (outcome.ok) return setBegun(outcome.value.run)
    setRefused(outcome.error)
    if (outcome.error.code === 'tool.changed') onChanged()
  }
  const run = (): void => {
    const tried = editor.tryAll()
    if (tried.value !== undefined && tried.wrong === 0) void send(editor.text)
    else setWrong(tried.wrong)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!matchesChord(event.nativeEvent, keys, os) || event.repeat) return
    event.preventDefault()
    run()
  }
  const { value } = editor
  return (
    <section className="stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="h3">
        {t`Run`}
      </h3>
      {/* biome-ignore lint/a11y/useSemanticElements: a form would be sent by Enter in any field */}
      <div className="stack" role="group" aria-labelledby={`${id}-title`} onKeyDown={onKeyDown}>
        <SchemaEditor editor={editor} rows={24} label={t`Arguments as JSON`} />
        <div className="row wrap">
          <PrimaryButton onClick={run}>
            {t`Run`} <span className="sr">{tool.name}</span>
          </PrimaryButton>
          {wrong > 0 && (
            <span className="err" role="alert">
              {t`${wrong} {value|values} to correct.`}
            </span>
          )}
          {wrong > 0 && value && !editor.unwritten && <GhostButton onClick={() => void send(editor.text)}>{t`Run anyway`}</GhostButton>}
          <span className="grow" />
          {value && (
            <>
              <CopyCommand call={{ server, tool: tool.name, arguments: value }} shell="posix" words={t`Copy command`} />
              <CopyCommand call={{ server, tool: tool.name, arguments: value }} shell="powershell" words={t`Copy for PowerShell`} />
            </>
          )}
        </div>
        <p className="help">{tx`Runs once in ${<ServerName name={server} />}. No model reads the result.`}</p>
        {refused && <ErrorNotice error={refused} />}
      </div>
      <RunHistory server={server} tool={tool.name} begun={begun} onEdit={write} onAgain={(text) => void send(text)} />
    </section>
  )
}

/** Copies a call as a command line. None where a name is not safe to give to a terminal. */
function CopyCommand({ call, shell, words }: { readonly call: CommandedCall; readonly shell: CommandShell; readonly words: string }) {
  const line = callCommand(call, shell)
  return line === undefined ? null : <CopyButton words variant="ghost" text={line} label={words} />
}

function firstText({ inputSchema }: ToolEntry): string {
  const blank = blankFor(inputSchema, inputSchema)
  return JSON.stringify(isJsonObject(blank) ? blank : {}, null, 2)
}

/** Whether the model sees the tool in the current chat, within what counts everywhere. */
function InChatSwitch({ server, tool }: { readonly server: string; readonly tool: string }) {
  const { go } = useActions()
  const chat = useCurrentChat()
  if (!chat) return null
  const { id, title, tools } = chat
  const withServer = isServerOff(tools, server)
  return (
    <Switch
      checked={!isToolOff(tools, server, tool)}
      disabled={withServer}
      label={withServer ? t`“${server}” is switched off.` : t`Also in “${title}”`}
      onChange={(on) => go('conversation.switchTool', { id, server, tool, on })}
    />
  )
}

function useTool(server: string, name: string) {
  const revision = useServers((state) => state.list.find((one) => one.name === server)?.catalogueRevision ?? 0)
  // A run may accept the tool.
  const ran = useManualRuns(
    (state) => Object.values(state.byId).filter((run) => run.server === server && run.tool === name && run.state.kind !== 'queued').length,
  )
  return useHostAnswer('tool.get', { server, tool: name }, `${revision} ${ran}`)
}

/** The beginnings of the icons' addresses, at most 300 characters. */
const iconAddresses = (icons: NonNullable<ToolEntry['icons']>): string => {
  const addresses = icons.map(({ src }) => src.slice(0, 80)).join(', ')
  return addresses.slice(0, 300)
}

const unknownTool = { tool: undefined, approved: null }

interface ToolPaneProps {
  readonly server: string
  readonly name: string
  /** The tool's row in the list; undefined where it has none. */
  readonly listed: FoundTool | undefined
  readonly onEnabled: (on: boolean) => void
}

export function ToolPane({ server, name, listed, onEnabled }: ToolPaneProps) {
  const { value: { tool, approved } = unknownTool, error, reload } = useTool(server, name)
  const title = tool?.title ?? tool?.annotations?.title
  return (
    <section className="b" aria-label={name}>
      <div className="in tool-pane">
        <header className="stack tight">
          <div className="row wrap">
            {tool && <OwnIcon icons={tool.icons} />}
            <VisibleText as="h2" className="mono tool-name" text={name} />
            {tool && <State tool={tool} approved={approved} />}
            <span className="grow" />
            {listed && (
              <Switch
                checked={listed.tool.enabled}
                disabled={!listed.server.enabled}
                label={listed.server.enabled ? t`Sent to the model` : t`“${server}” is switched off.`}
                onChange={onEnabled}
              />
            )}
          </div>
          <p className="row wrap help">
            <ServerMark name={server} />
            <a className="link" href={hrefOf({ page: 'servers', name: server, tab: 'tools' })}>
              {server}
            </a>
            {title && (
              <span>
                · “<VisibleText text={title} />”
              </span>
            )}
            {tool && <span className="num">· {t`${tool.tokens} tokens`}</span>}
          </p>
          {listed?.server.enabled && listed.tool.enabled && <InChatSwitch server={server} tool={name} />}
        </header>
        {error && <ErrorNotice error={error} onRetry={reload} />}
        {!tool && !error && (
          <p className="row faint">
            <Spinner /> {t`Loading…`}
          </p>
        )}
        {tool && <Known tool={tool} approved={approved} />}
        {tool && (
          <ToolFacts trusted={listed?.server.trusted ?? false} tool={tool}>
            {tool.icons && tool.icons.length > 0 && (
              <Fact label={t`Pictures`} className="faint">
                {tx`${tool.icons.length}, ${<VisibleText text={iconAddresses(tool.icons)} />}. Not fetched.`}
              </Fact>
            )}
          </ToolFacts>
        )}
        {tool && <Schemas tool={tool} />}
        {tool && <RunTool key={tool.fingerprint} server={server} tool={tool} onChanged={reload} />}
      </div>
      <ServerDock server={server} />
    </section>
  )
}

type DefinitionProps = { readonly tool: ToolEntry; readonly approved: ApprovedDefinition | null }

function State({ tool, approved }: DefinitionProps) {
  if (!approved) return <Badge>{t`new`}</Badge>
  return approved.fingerprint === tool.fingerprint ? <Badge>{t`accepted`}</Badge> : <Badge tone="warn">{t`changed`}</Badge>
}

function Known({ tool, approved }: DefinitionProps) {
  const definition = useMemo(() => definitionOf(tool), [tool])
  if (!approved || approved.fingerprint === tool.fingerprint) return null
  return (
    <>
      <WarnNotice title={t`The tool has changed.`} />
      <ChangedDefinition previous={approved} definition={definition} />
    </>
  )
}

function Schemas({ tool }: { readonly tool: ToolEntry }) {
  const input = useMemo(() => JSON.stringify(tool.inputSchema, null, 2), [tool])
  const output = useMemo(() => tool.outputSchema && JSON.stringify(tool.outputSchema, null, 2), [tool])
  return (
    <div className="stack tight">
      <details>
        <summary className="label">{t`Input schema`}</summary>
        <LongText text={input} label={t`Input schema`} />
      </details>
      {output === undefined ? (
        <p className="help">{t`No output schema`}</p>
      ) : (
        <details>
          <summary className="label">{t`Output schema`}</summary>
          <LongText text={output} label={t`Output schema`} />
        </details>
      )}
    </div>
  )
}
