import { type RefObject, useEffect, useMemo, useState } from 'react'
import { commandLine } from '#app/server/command-line.ts'
import { type ConfigProblem, type ServerDefinition, serverName } from '#app/server/definition.ts'
import { freeName } from '#app/server/import/names.ts'
import { plainSecretsOf } from '#app/server/plain-secrets.ts'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Field, FieldError, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { keptWords, memoryWords, useSecretKeeper } from './secret-words.ts'
import { usePasted } from './use-pasted.ts'

export interface PasteChoice {
  readonly name: string
  readonly definition: ServerDefinition
  readonly chosen: boolean
  /** Variables or headers that go into the secret store. */
  readonly keep: readonly string[]
  /** Why it cannot be added under this name. */
  readonly error: string | undefined
}

interface Change {
  readonly name?: string
  readonly chosen?: boolean
}

const nameError = (name: string, others: readonly string[]): string | undefined => {
  if (!serverName.safeParse(name).success) return 'Give it a name of at most 64 characters.'
  return others.includes(name) ? `There is a server named ${name} already.` : undefined
}

export function PastePane({
  first,
  area,
  taken,
  onChoice,
}: {
  /** What stands there when it opens. */
  readonly first: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly taken: readonly string[]
  readonly onChoice: (choice: readonly PasteChoice[]) => void
}) {
  const [text, setText] = useState(first)
  const [changes, setChanges] = useState<readonly Change[]>([])
  const keeper = useSecretKeeper()
  const [keeps, setKeeps] = useState<boolean | undefined>(undefined)
  const keep = keeps ?? keeper === 'keyring'
  const understood = usePasted(text)
  const takenText = taken.join('\n')

  const choice = useMemo(() => {
    const names = takenText.split('\n')
    const used = [...names]
    const named = understood.servers.map(({ name, definition }, index) => {
      const chosenName = changes[index]?.name ?? freeName(name, used)
      used.push(chosenName)
      return { name: chosenName, definition, chosen: changes[index]?.chosen ?? true, keep: keep ? plainSecretsOf(definition) : [] }
    })
    return named.map((one, index): PasteChoice => {
      const others = [...names, ...named.filter((other, at) => at !== index && other.chosen).map(({ name }) => name)]
      return { ...one, error: one.chosen ? nameError(one.name, others) : undefined }
    })
  }, [understood.servers, changes, takenText, keep])
  useEffect(() => onChoice(choice), [choice, onChoice])

  const change = (index: number, part: Change): void =>
    setChanges((before) =>
      Array.from({ length: Math.max(before.length, index + 1) }, (_, at) =>
        at === index ? { ...before[at], ...part } : (before[at] ?? {}),
      ),
    )
  const settled = understood.text === text
  const secrets = choice.some(({ chosen, definition }) => chosen && plainSecretsOf(definition).length > 0)
  return (
    <>
      <Field label="Paste anything" note="a command, an address, JSON from another app">
        {(ids) => (
          <TextArea
            {...ids}
            mono
            ref={area}
            rows={6}
            placeholder={'npx -y notes-mcp --dir ~/notes'}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChanges([])
            }}
          />
        )}
      </Field>
      <div role="status" className="stack">
        {settled ? <Problems problems={understood.problems} /> : null}
        {choice.length > 0 ? (
          <section className="sec">
            <span className="label">Understood as {choice.length === 1 ? 'one server' : `${choice.length} servers`}</span>
            <ul className="lines">
              {choice.map((one, index) => (
                <PastedServer
                  // biome-ignore lint/suspicious/noArrayIndexKey: the name can be edited, so the place is what stays.
                  key={index}
                  one={one}
                  only={choice.length === 1}
                  onChange={(part) => change(index, part)}
                />
              ))}
            </ul>
            {secrets ? (
              <Checkbox
                checked={keep}
                label={keeper === 'keyring' ? 'Keep the secrets in the keyring' : 'Keep the secrets out of the file'}
                help={keeper === 'keyring' ? 'servers.json then only names them.' : memoryWords}
                onChange={setKeeps}
              />
            ) : null}
          </section>
        ) : null}
      </div>
    </>
  )
}

function Problems({ problems }: { readonly problems: readonly ConfigProblem[] }) {
  return problems.map((problem) => (
    <div key={`${problem.line} ${problem.server} ${problem.message}`} className="err">
      <Icon name="warning" small />
      <span>
        {problem.line === undefined ? '' : `Line ${problem.line}: `}
        {problem.message} <span className="dim">{problem.remedy}</span>
      </span>
    </div>
  ))
}

interface PastedServerProps {
  readonly one: PasteChoice
  readonly only: boolean
  readonly onChange: (change: Change) => void
}

function PastedServer({ one, only, onChange }: PastedServerProps) {
  const secrets = plainSecretsOf(one.definition).length
  const keeper = useSecretKeeper()
  return (
    <li className="pasted">
      {only ? null : (
        <Checkbox checked={one.chosen} label={<span className="sr">Add {one.name}</span>} onChange={(chosen) => onChange({ chosen })} />
      )}
      <ServerMark name={one.name} />
      <div className="grow">
        <div className="row">
          <TextInput
            aria-label="Name"
            aria-invalid={one.error === undefined ? undefined : true}
            className="bare-name"
            value={one.name}
            size={Math.max(6, one.name.length)}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <Icon name="edit" small />
          <Badge>{one.definition.transport === 'stdio' ? 'command' : 'address'}</Badge>
        </div>
        <p className="help mono wrap-any">
          <Revealed text={commandLine(one.definition)} />
        </p>
        {one.error === undefined ? null : <FieldError>{one.error}</FieldError>}
      </div>
      {secrets === 0 ? null : (
        <span className="help row wide-only">
          <Icon name="lock" small />
          {secrets} {secrets === 1 ? 'secret' : 'secrets'}, {one.keep.length > 0 ? keptWords(keeper) : 'kept in servers.json'}
        </span>
      )}
    </li>
  )
}
