// What a server does and what its processes take, asked for again and again while it is looked at, and only then.
import { useEffect, useState } from 'react'
import type { ProcessList, ServerActivity } from '#app/server/activity.ts'
import { useActions } from '#renderer/stores/react.tsx'

type Looked = Extract<ProcessList, { kind: 'processes' }>

export interface Activity {
  readonly activity: ServerActivity | undefined
  readonly processes: ProcessList | undefined
  /** The look before this one. */
  readonly before: Looked | undefined
}

const nothing: Activity = { activity: undefined, processes: undefined, before: undefined }
const everyMs = 2000

/** `local`: it is a program of this computer. */
export function useActivity(name: string, local: boolean): Activity {
  const { attempt } = useActions()
  const [seen, setSeen] = useState<Activity>(nothing)
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    setSeen(nothing)
    const look = async (): Promise<void> => {
      // A page that nobody sees looks at nothing.
      if (!document.hidden) {
        const [activity, processes] = await Promise.all([
          attempt('server.activity', { name }),
          local ? attempt('server.processes', { name }) : undefined,
        ])
        if (gone) return
        setSeen((last) => ({
          activity: activity.ok ? activity.value : last.activity,
          processes: processes?.ok ? processes.value : undefined,
          before: last.processes?.kind === 'processes' ? last.processes : undefined,
        }))
      }
      timer = setTimeout(() => void look(), everyMs)
    }
    void look()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [attempt, name, local])
  return seen
}
