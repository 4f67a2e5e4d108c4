// What the pasted text holds: read here when it is one command or address, by the host when it is JSON.
import { useEffect, useState } from 'react'
import type { ConfigProblem, ServerDefinition } from '#app/server/definition.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { readPaste } from './paste.ts'

export interface Understood {
  /** The text that this is about. */
  readonly text: string
  readonly servers: readonly { readonly name: string; readonly definition: ServerDefinition }[]
  readonly problems: readonly ConfigProblem[]
}
const nothing: Understood = { text: '', servers: [], problems: [] }
const pauseMs = 150

export function usePasted(text: string): Understood {
  const { ask } = useActions()
  const [understood, setUnderstood] = useState(nothing)
  useEffect(() => {
    const pasted = readPaste(text)
    if (pasted.kind === 'empty') return setUnderstood(nothing)
    if (pasted.kind === 'one') return setUnderstood({ text, servers: [pasted], problems: [] })
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
