// State of the dialog that adds servers: the text or the request, what the host understood of it, and the person's changes.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Snippet } from '#app/server/import/snippet.ts'
import { useActions, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { candidateEntries, carryChanges, type EntryChange, type Setup, setupOf } from '../candidate-list.ts'
import { emptyServerForm, sameForm } from '../edit/server-form.ts'
import type { AddSource } from './open-add-server.ts'

/** Contents of `text`, as the host understands it. */
type Understood = Pick<Snippet, 'servers' | 'inputs' | 'problems'> & { readonly text: string }
const nothing: Understood = { text: '', servers: [], inputs: [], problems: [] }
/** Milliseconds without typing before the text is parsed. */
const pauseMs = 150

function usePastedText(text: string): Understood {
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

/** Server that is open in the form: one that was found, by its index, or a new one. */
type ShownCandidate = number | 'new' | undefined

const blank: Setup = { form: emptyServerForm(), values: {} }

export function useAddServer(source: AddSource) {
  const keeper = useSecretKeeper()
  const taken = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const [text, setText] = useState(source.kind === 'text' ? source.text : '')
  const [keeps, setKeeps] = useState<boolean | undefined>(undefined)
  const [changes, setChanges] = useState<readonly (EntryChange | undefined)[]>([])
  const [fresh, setFresh] = useState(blank)
  const [shown, setShown] = useState<ShownCandidate>(undefined)
  const keep = keeps ?? keeper === 'keyring'
  const pasted = usePastedText(text)
  const { servers, inputs } = source.kind === 'found' ? source : pasted
  const before = useRef(servers)
  useEffect(() => {
    if (before.current === servers) return
    const then = before.current
    before.current = servers
    setChanges((all) => carryChanges(then, servers, all))
  }, [servers])
  const entries = useMemo(() => candidateEntries({ servers, inputs, changes, taken, keep }), [servers, inputs, changes, taken, keep])

  const change = (index: number, part: EntryChange): void =>
    setChanges((all) =>
      Array.from({ length: Math.max(all.length, index + 1) }, (_, at) => (at === index ? { ...all[at], ...part } : all[at])),
    )
  const open = typeof shown === 'number' ? entries[shown] : undefined
  const setup = open ? setupOf(open, changes[shown as number], inputs) : fresh
  return {
    text,
    setText,
    /** Problems of the text as a whole, once the latest text was parsed. */
    problems: source.kind !== 'found' && pasted.text === text ? pasted.problems : [],
    inputs,
    entries,
    change,
    keep,
    setKeeps,
    keeper,
    shown: shown === 'new' || open ? shown : undefined,
    setShown,
    setup,
    changeSetup(part: Partial<Setup>): void {
      const next = { ...setup, ...part }
      if (open) change(shown as number, { setup: next, name: next.form.name })
      else setFresh(next)
    },
    /** Names that the server in the form may not have. */
    taken: open ? [...taken, ...entries.filter((one) => one !== open && one.chosen).map(({ name }) => name)] : taken,
    /** Something here would be lost. */
    dirty: text.trim() !== '' || changes.some((one) => one !== undefined) || !sameForm(fresh.form, blank.form),
  }
}

export type AddServerState = ReturnType<typeof useAddServer>
