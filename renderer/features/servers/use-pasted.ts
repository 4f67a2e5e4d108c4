// What the pasted text holds: the host reads it, nothing is run or saved by that.
import { useEffect, useState } from 'react'
import type { Snippet } from '#app/server/import/snippet.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface Understood extends Pick<Snippet, 'servers' | 'inputs' | 'problems'> {
  /** The text that this is about. */
  readonly text: string
}
const nothing: Understood = { text: '', servers: [], inputs: [], problems: [] }
const pauseMs = 150

export function usePasted(text: string): Understood {
  const { ask } = useActions()
  const [understood, setUnderstood] = useState(nothing)
  useEffect(() => {
    if (text.trim() === '') return setUnderstood(nothing)
    let gone = false
    const timer = setTimeout(() => {
      void ask('config.parse', { text }).then((result) => {
        if (!gone && result) setUnderstood({ text, ...result })
      })
    }, pauseMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [ask, text])
  return understood
}
