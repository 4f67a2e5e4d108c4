// servers.json as text: what the file has, what the person made of it, and what happens when both change.
// The file can change under the editor (another program, the forms): untouched text follows it, touched text is kept
// and the person decides. Saving looks at the file first, so that nobody's change is overwritten unseen.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'

export interface ConfigText {
  readonly path: string
  /** As the file was when it was last read. */
  readonly base: string
  readonly text: string
  readonly problems: readonly ConfigProblem[]
  /** The file has become this, while there are changes here. */
  readonly theirs: string | undefined
  readonly saving: boolean
  readonly savedAt: number | undefined
  readonly error: ErrorValue | undefined
}

export interface ConfigEditing {
  readonly state: ConfigText | undefined
  readonly loadError: ErrorValue | undefined
  readonly edit: (text: string) => void
  readonly save: () => Promise<void>
  /** Takes the file's text and drops the changes here. */
  readonly takeTheirs: () => void
  /** Keeps the changes here: the next save replaces the file's. */
  readonly keepMine: () => void
  readonly revert: () => void
  readonly reload: () => void
}

const sameProblems = (a: readonly ConfigProblem[], b: readonly ConfigProblem[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a fresh look at the file means for what is being edited. Pure. */
export function afterLook(
  state: ConfigText | undefined,
  file: { readonly path: string; readonly text: string; readonly problems: readonly ConfigProblem[] },
): ConfigText {
  const { path, text, problems } = file
  if (state === undefined)
    return { path, base: text, text, problems, theirs: undefined, saving: false, savedAt: undefined, error: undefined }
  if (text === state.base)
    return state.theirs === undefined && sameProblems(problems, state.problems) ? state : { ...state, path, problems, theirs: undefined }
  if (state.text === state.base || state.text === text) return { ...state, path, base: text, text, problems, theirs: undefined }
  return state.theirs === text ? state : { ...state, path, theirs: text }
}

export function useConfigText(): ConfigEditing {
  const { attempt } = useActions()
  const { link } = useStores()
  const [state, setState] = useState<ConfigText | undefined>(undefined)
  const [loadError, setLoadError] = useState<ErrorValue | undefined>(undefined)
  const latest = useRef(state)
  latest.current = state
  const saving = useRef<boolean>(false)
  const saves = useRef(0)
  /** The file changed while a save was under way; the save itself is such a change. */
  const missed = useRef<boolean>(false)

  /** Undefined: it failed, or a save began meanwhile, and what it saw is old. */
  const look = useCallback(async (): Promise<ConfigText | undefined> => {
    const before = saves.current
    const outcome = await attempt('config.get', {})
    if (before !== saves.current) return undefined
    if (!outcome.ok) {
      if (!latest.current) setLoadError(outcome.error)
      return undefined
    }
    setLoadError(undefined)
    setState((now) => afterLook(now, outcome.value))
    return afterLook(latest.current, outcome.value)
  }, [attempt])

  useEffect(() => {
    const lookOrLater = (): void => {
      if (saving.current) missed.current = true
      else void look()
    }
    window.addEventListener('focus', lookOrLater)
    const offEvent = link.onEvent(({ name }) => {
      if (name === 'config.changed') lookOrLater()
    })
    // The first look; and what the host told while it could not be reached was not heard.
    const offStatus = link.onStatus((status) => {
      if (status === 'open') lookOrLater()
    })
    return () => {
      window.removeEventListener('focus', lookOrLater)
      offEvent()
      offStatus()
    }
  }, [link, look])

  const change = useCallback((part: Partial<ConfigText>): void => {
    setState((before) => (before ? { ...before, ...part } : before))
  }, [])

  const save = useCallback(async (): Promise<void> => {
    const looked = await look()
    if (!looked || looked.theirs !== undefined || saving.current) return
    saving.current = true
    saves.current++
    change({ saving: true, error: undefined })
    const { text } = looked
    const outcome = await attempt('config.save', { text })
    saving.current = false
    saves.current++
    if (outcome.ok) change({ saving: false, base: text, problems: outcome.value.problems, savedAt: Date.now() })
    else change({ saving: false, error: outcome.error })
    if (missed.current) void look()
    missed.current = false
  }, [attempt, change, look])

  return {
    state,
    loadError,
    edit: (text) => change({ text, savedAt: undefined, error: undefined }),
    save,
    takeTheirs: () =>
      setState((before) =>
        before?.theirs === undefined ? before : { ...before, base: before.theirs, text: before.theirs, theirs: undefined },
      ),
    keepMine: () => setState((before) => (before?.theirs === undefined ? before : { ...before, base: before.theirs, theirs: undefined })),
    revert: () => setState((before) => (before ? { ...before, text: before.base, error: undefined } : before)),
    reload: () => void look(),
  }
}
