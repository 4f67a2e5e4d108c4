// What the last start of a server was like: asked for when somebody looks.
import { useEffect, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface DoctorPage {
  readonly report: DoctorReport | undefined
  readonly error: ErrorValue | undefined
  readonly reload: () => void
}

export function useDoctor(name: string): DoctorPage {
  const { attempt } = useActions()
  const [page, setPage] = useState<Omit<DoctorPage, 'reload'>>({ report: undefined, error: undefined })
  const [again, setAgain] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on "Try again" is a reason to fetch.
  useEffect(() => {
    let gone = false
    void attempt('server.doctor', { name }).then((outcome) => {
      if (gone) return
      setPage(outcome.ok ? { report: outcome.value, error: undefined } : { report: undefined, error: outcome.error })
    })
    return () => {
      gone = true
    }
  }, [attempt, name, again])
  return { ...page, reload: () => setAgain((count) => count + 1) }
}
