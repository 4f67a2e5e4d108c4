// The runs of one tool, newest first: what the host keeps, and over it what this page was told since.
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { HandRun } from '#app/chat/hand-run.ts'
import { useActions, useHandRuns, useShallow, useStores } from '#renderer/stores/react.tsx'

export interface Runs {
  readonly runs: readonly HandRun[]
  readonly more: boolean
  readonly loadMore: () => void
  readonly forget: () => void
}

const page = 10

export function useRuns(server: string, tool: string, begun: HandRun | undefined): Runs {
  const { attempt, ask } = useActions()
  const { handRuns } = useStores()
  const [kept, setKept] = useState<{ readonly runs: readonly HandRun[]; readonly more: boolean }>({ runs: [], more: false })
  const told = useHandRuns(useShallow((state) => Object.values(state.byId).filter((run) => run.server === server && run.tool === tool)))
  useEffect(() => {
    let gone = false
    void attempt('tool.runs', { server, tool, limit: page }).then((outcome) => {
      if (!gone && outcome.ok) setKept(outcome.value)
    })
    return () => {
      gone = true
    }
  }, [attempt, server, tool])
  const last = kept.runs.at(-1)
  const loadMore = useCallback(() => {
    if (!last) return
    void ask('tool.runs', { server, tool, limit: page, before: { at: last.at, id: last.id } }).then((next) => {
      if (next) setKept((before) => ({ runs: [...before.runs, ...next.runs], more: next.more }))
    })
  }, [ask, server, tool, last])
  const forget = (): void => {
    void ask('tool.forgetRuns', { of: { server, tool } }).then((done) => {
      if (!done) return
      setKept({ runs: [], more: false })
      handRuns.setState(({ byId, drafts }) => ({
        drafts,
        byId: Object.fromEntries(Object.entries(byId).filter(([, run]) => run.server !== server || run.tool !== tool || isUnderWay(run))),
      }))
    })
  }
  const runs = useMemo(() => {
    const byId = new Map(kept.runs.map((run) => [run.id, run]))
    if (begun) byId.set(begun.id, begun)
    for (const run of told) byId.set(run.id, run)
    return [...byId.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  }, [kept, told, begun])
  return { runs, more: kept.more, loadMore, forget }
}

export const isUnderWay = ({ state }: HandRun): boolean => state.kind === 'queued' || state.kind === 'waiting' || state.kind === 'running'
