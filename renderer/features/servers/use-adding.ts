// What the add screen knows: the text or what was brought, what was understood of it, and what the person made of that.
import { useEffect, useMemo, useRef, useState } from 'react'
import { useServers, useShallow } from '#renderer/stores/react.tsx'
import type { AddSource } from './adding.ts'
import { carryChanges, type EntryChange, entriesOf, type Setup, setupOf } from './entries.ts'
import { useSecretKeeper } from './secret-words.ts'
import { emptyForm, sameForm } from './server-form.ts'
import { usePasted } from './use-pasted.ts'

/** What is open in the form: a server that was found, by its place, or a new one. */
export type Shown = number | 'new' | undefined

const blank: Setup = { form: emptyForm(), values: {} }

export function useAdding(source: AddSource) {
  const keeper = useSecretKeeper()
  const taken = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const [text, setText] = useState(source.kind === 'text' ? source.text : '')
  const [keeps, setKeeps] = useState<boolean | undefined>(undefined)
  const [changes, setChanges] = useState<readonly (EntryChange | undefined)[]>([])
  const [fresh, setFresh] = useState(blank)
  const [shown, setShown] = useState<Shown>(undefined)
  const keep = keeps ?? keeper === 'keyring'
  const pasted = usePasted(text)
  const { servers, inputs } = source.kind === 'found' ? source : pasted
  const before = useRef(servers)
  useEffect(() => {
    if (before.current === servers) return
    const then = before.current
    before.current = servers
    setChanges((all) => carryChanges(then, servers, all))
  }, [servers])
  const entries = useMemo(() => entriesOf({ servers, inputs, changes, taken, keep }), [servers, inputs, changes, taken, keep])

  const change = (index: number, part: EntryChange): void =>
    setChanges((all) =>
      Array.from({ length: Math.max(all.length, index + 1) }, (_, at) => (at === index ? { ...all[at], ...part } : all[at])),
    )
  const open = typeof shown === 'number' ? entries[shown] : undefined
  const setup = open ? setupOf(open, changes[shown as number], inputs) : fresh
  return {
    text,
    setText,
    /** What is wrong with the text as a whole; of an older text there is nothing to say. */
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
    /** Names that whoever is in the form may not have. */
    taken: open ? [...taken, ...entries.filter((one) => one !== open && one.chosen).map(({ name }) => name)] : taken,
    /** Something here would be lost. */
    dirty: text.trim() !== '' || changes.some((one) => one !== undefined) || !sameForm(fresh.form, blank.form),
  }
}

export type Adding = ReturnType<typeof useAdding>
