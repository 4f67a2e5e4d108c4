// Runs of a tool, newest first. The one that was just begun stands open, with what its server asks in its course.
import type { HandRun } from '#app/chat/hand-run.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RunView } from './run-view.tsx'
import { isUnderWay, useRuns } from './use-runs.ts'

interface RunHistoryProps {
  readonly server: string
  readonly tool: string
  readonly begun: HandRun | undefined
  /** Its arguments go into the form. */
  readonly onEdit: (text: string) => void
  readonly onAgain: (text: string) => void
}

export function RunHistory({ server, tool, begun, onEdit, onAgain }: RunHistoryProps) {
  const { runs, more, loadMore, forget } = useRuns(server, tool, begun)
  if (runs.length === 0) return null
  return (
    <div className="stack tight">
      <div className="row">
        <h4 className="label">{t`Runs`}</h4>
        <span className="grow" />
        {runs.some((run) => !isUnderWay(run)) && (
          <Button size="sm" variant="ghost" onClick={forget}>
            {t`Forget these runs`}
          </Button>
        )}
      </div>
      {runs.map((run) => (
        <RunView key={run.id} run={run} first={run.id === begun?.id} onEdit={onEdit} onAgain={onAgain} />
      ))}
      {more && (
        <p>
          <Button size="sm" variant="ghost" onClick={loadMore}>
            {t`Show earlier runs`}
          </Button>
        </p>
      )}
    </div>
  )
}
