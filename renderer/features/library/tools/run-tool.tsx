// A run of a tool by hand: its arguments in a form or as JSON, and below it how the runs went. Pressing “Run” is the
// person's word for exactly what stands there; the host asks again only where the tool is not what they accepted.

import { type KeyboardEvent, useId, useState } from 'react'
import type { HandRun } from '#app/chat/hand-run.ts'
import type { ErrorValue } from '#app/errors.ts'
import { isJsonObject } from '#app/json.ts'
import { blankFor } from '#app/schema-form/blank.ts'
import { type CommandedCall, callCommand, type Shell } from '#app/server/call-command.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { draftOf } from '#renderer/stores/hand-runs.ts'
import { useActions, useHandRuns, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { SchemaEditor } from '#renderer/ui/schema-form/schema-editor.tsx'
import { useSchemaText } from '#renderer/ui/schema-form/use-schema-text.ts'
import { tx } from '#renderer/ui/translate.ts'
import { RunHistory } from './run-history.tsx'

interface RunToolProps {
  readonly server: string
  readonly tool: ToolEntry
  /** It is another by now. */
  readonly onChanged: () => void
}

export function RunTool({ server, tool, onChanged }: RunToolProps) {
  const id = useId()
  const { attempt } = useActions()
  const { handRuns } = useStores()
  const key = draftOf(server, tool.name)
  const draft = useHandRuns((state) => state.drafts[key])
  const [wrong, setWrong] = useState(0)
  const [refused, setRefused] = useState<ErrorValue | undefined>(undefined)
  const [begun, setBegun] = useState<HandRun | undefined>(undefined)
  const write = (text: string): void => {
    setWrong(0)
    setRefused(undefined)
    handRuns.setState(({ byId, drafts }) => ({ byId, drafts: { ...drafts, [key]: text } }))
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
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return
    event.preventDefault()
    run()
  }
  const { value } = editor
  return (
    <section className="stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="h3">
        {t`Run it by hand`}
      </h3>
      {/* biome-ignore lint/a11y/useSemanticElements: a form would be sent by Enter in any field */}
      <div className="stack" role="group" aria-labelledby={`${id}-title`} onKeyDown={onKeyDown}>
        <SchemaEditor editor={editor} rows={24} label={t`Arguments as JSON`} />
        <div className="row wrap">
          <Button variant="primary" onClick={run}>
            {tx`Run ${tool.name.length <= 40 ? tool.name : t`it`}`}
          </Button>
          {wrong > 0 && (
            <span className="err" role="alert">
              {wrong === 1 ? t`1 value to correct.` : t`${wrong} values to correct.`}
            </span>
          )}
          {wrong > 0 && value && !editor.unwritten && (
            <Button variant="ghost" onClick={() => void send(editor.text)}>
              {t`Run it all the same`}
            </Button>
          )}
          <span className="grow" />
          {value && (
            <>
              <CopyCommand call={{ server, tool: tool.name, arguments: value }} shell="posix" words={t`Copy command`} />
              <CopyCommand call={{ server, tool: tool.name, arguments: value }} shell="powershell" words={t`Copy for PowerShell`} />
            </>
          )}
        </div>
        <p className="help">
          {tx`This sends exactly these arguments to ${<ServerName name={server} />}, once. It goes on record as run by you; no model reads what comes back.`}
        </p>
        {refused && <ErrorNotice error={refused} />}
      </div>
      <RunHistory server={server} tool={tool.name} begun={begun} onEdit={write} onAgain={(text) => void send(text)} />
    </section>
  )
}

interface CopyCommandProps {
  readonly call: CommandedCall
  readonly shell: Shell
  readonly words: string
}

/** Some names no terminal should be given. */
function CopyCommand({ call, shell, words }: CopyCommandProps) {
  const line = callCommand(call, shell)
  return line === undefined ? null : (
    <CopyButton variant="ghost" label={words} text={line}>
      {words}
    </CopyButton>
  )
}

function firstText({ inputSchema }: ToolEntry): string {
  const blank = blankFor(inputSchema, inputSchema)
  return JSON.stringify(isJsonObject(blank) ? blank : {}, null, 2)
}
