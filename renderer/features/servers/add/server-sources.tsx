// Sources of servers in the dialog that adds them: pasted text, or what another screen found; the servers that the host understood
// of it, and the person's changes to them.

import { type DragEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import type { Snippet } from '#app/server/candidate.ts'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Checkbox, TextAreaField } from '#renderer/ui/field.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { memoryOnlyLabel, secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { type CandidateEntry, candidateEntries, carryChanges, type EntryChange, type Setup, setupOf } from '../candidate-list.ts'
import { emptyServerForm, sameForm } from '../edit/server-form.ts'
import { CandidateRow, ImportProblems } from '../import/import-list.tsx'
import { ImportSuggestion } from '../import/import-suggestion.tsx'
import type { AddSource } from '../open-add-server.ts'

/** Contents of `text`, as the host understands it. */
type Understood = Pick<Snippet, 'servers' | 'inputs' | 'problems' | 'site'> & { readonly text: string }
const nothing: Understood = { text: '', servers: [], inputs: [], problems: [] }
/** Milliseconds without typing before the text is parsed. */
const pauseMs = 150

function usePastedText(text: string) {
  const { ask } = useActions()
  const [understood, setUnderstood] = useState(nothing)
  const [looking, setLooking] = useState<string | undefined>(undefined)
  const { site } = understood.text === text ? understood : nothing
  const look = async (): Promise<void> => {
    if (site === undefined || looking !== undefined) return
    setLooking(site)
    const result = await ask('config.discover', { site })
    setLooking(undefined)
    // What was typed meanwhile counts.
    if (result) setUnderstood((now) => (now.text === text ? { text, ...result, site } : now))
  }
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
  return { ...understood, site, look, looking: looking !== undefined }
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
    pasted,
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
    taken: open ? [...taken, ...entries.filter((one) => one !== open && one.chosen).map(({ name }) => name)] : taken,
    /** Something here would be lost. */
    dirty: text.trim() !== '' || changes.some((one) => one !== undefined) || !sameForm(fresh.form, blank.form),
  }
}

export type AddServerState = ReturnType<typeof useAddServer>

interface SourcesProps {
  readonly source: AddSource
  readonly adding: AddServerState
  readonly area: RefObject<HTMLTextAreaElement | null>
}

export function Sources({ source, adding, area }: SourcesProps) {
  return (
    <>
      {source.kind === 'found' ? (
        <p className="dim">{tx`From ${source.from}.`}</p>
      ) : (
        <>
          <PasteField area={area} text={adding.text} onText={adding.setText} />
          {adding.text === '' ? (
            <p className="dim">
              <a className="link" href={hrefOf({ page: 'registry' })}>
                {t`Look in the registry`}
              </a>
            </p>
          ) : null}
        </>
      )}
      {source.kind === 'found' || adding.pasted.site === undefined ? null : <SiteLook pasted={adding.pasted} site={adding.pasted.site} />}
      <Found adding={adding} />
      {source.kind === 'found' || adding.entries.length > 0 ? null : <ImportSuggestion lead={t`Or import from`} />}
    </>
  )
}

/** A site is asked once the person says so: it learns who asks. */
const SiteLook = ({ pasted: { look, looking }, site }: { readonly pasted: AddServerState['pasted']; readonly site: string }) => (
  <p className="row wrap help">
    {tx`Does ${<VisibleText text={new URL(site).host} />} name servers?`}
    <SmallButton icon="search" aria-disabled={looking} onClick={() => void look()}>
      {looking ? t`Searching…` : t`Search`}
    </SmallButton>
  </p>
)

function Found({ adding: { entries, problems, change, setShown, keep, setKeeps, keeper } }: { readonly adding: AddServerState }) {
  const secrets = entries.some(({ chosen, definition }) => chosen && plainSecretsOf(definition).length > 0)
  return (
    <div role="status" className="stack">
      <ImportProblems problems={problems} />
      {entries.length > 0 ? (
        <section className="sec">
          <span className="label">{t`Found ${entries.length} {server|servers}`}</span>
          <ul className="lines">
            {entries.map((entry, index) => {
              const { name, definition, chosen, found } = entry
              return (
                <CandidateRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: the name can be edited, so the place is what stays.
                  key={index}
                  definition={definition}
                  choice={
                    entries.length === 1 ? null : (
                      <Checkbox
                        checked={chosen}
                        label={<span className="sr">{tx`Add ${<ServerName name={name} />}`}</span>}
                        onChange={(next) => change(index, { chosen: next })}
                      />
                    )
                  }
                  mark={name}
                  name={name}
                  nameLabel={t`Name`}
                  onName={(next) => change(index, { name: next })}
                  badge={<Badge>{definition.transport === 'stdio' ? t`command` : t`address`}</Badge>}
                  alike={entry.alike}
                  project={found.project}
                  error={entry.error}
                  notes={chosen ? found.problems : []}
                  action={
                    <SmallButton aria-label={t`Set up “${name}”`} onClick={() => setShown(index)}>
                      {t`Set up…`}
                    </SmallButton>
                  }
                >
                  <EntryValues entry={entry} />
                </CandidateRow>
              )
            })}
          </ul>
          {secrets ? (
            <Checkbox
              checked={keep}
              label={keeper === 'keyring' ? t`Keep the secrets in the keyring` : t`Keep the secrets out of the file`}
              help={keeper === 'keyring' ? undefined : memoryOnlyLabel}
              onChange={setKeeps}
            />
          ) : null}
        </section>
      ) : null}
    </div>
  )
}

interface PasteFieldProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onText: (text: string) => void
}

/** Bytes that the host reads at most. */
const mostBytes = 1_000_000

function PasteField({ area, text, onText }: PasteFieldProps) {
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer.files
    // The window's own handler opens bundles.
    if (!file || isBundleFile(file.name)) return
    event.preventDefault()
    const large = file.size > mostBytes
    setRefused(large ? t`The text is too long.` : undefined)
    if (!large) void file.text().then(onText, () => setRefused(t`“${file.name}” cannot be read.`))
  }
  return (
    <TextAreaField
      label={t`Paste anything`}
      note={t`a command, an address, JSON from another app`}
      error={refused}
      mono
      ref={area}
      rows={6}
      placeholder={t`npx -y notes-mcp --dir ~/notes`}
      value={text}
      onText={(typed) => {
        setRefused(undefined)
        onText(typed)
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    />
  )
}

/** Number of secrets, where they are kept, and number of values that nobody has entered. */
function EntryValues({ entry: { definition, keep, missing } }: { readonly entry: CandidateEntry }) {
  const keeper = useSecretKeeper()
  const plain = plainSecretsOf(definition).filter((name) => !keep.includes(name)).length
  const secrets = (count: number): string => t`${count} {secret|secrets}`
  return (
    <p className="help row wrap">
      {keep.length + plain === 0 ? null : (
        <span className="row">
          <Icon name="lock" small />
          {[
            keep.length > 0 ? `${secrets(keep.length)} ${secretStorageLabel(keeper)}` : '',
            plain > 0 ? t`${secrets(plain)} kept in servers.json` : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      )}
      {missing.length === 0 ? null : (
        <span className="row">
          <Icon name="key" small />
          {t`${missing.length} {value|values} to enter`}
        </span>
      )}
    </p>
  )
}
