// What a server may do beyond the default of its sandbox, in one order everywhere: read, write, reach, environment.
import './sandbox.css'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { checkGrant, type GrantList, secretKindOf } from '#app/server/sandbox/check-grant.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { PathInput, usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { VisibleText, VisibleValue, visibleTextOf } from '#renderer/ui/visible-text.tsx'
import { faultWords, listWords, secretWords } from './sandbox-labels.ts'
import { SecretReview } from './secret-review.tsx'

// One list of grants as chips: each with a button that removes it, and a field that adds to the list. Enter adds; Backspace or Delete on a
// chip removes it; focus stays in the row.

interface GrantRowProps {
  readonly list: GrantList
  readonly grants: SandboxGrants
  /** Absent: the list is only shown. */
  readonly onChange?: ((grants: SandboxGrants) => void) | undefined
  /** Text of the open field, which is no grant yet; undefined: the field is closed. */
  readonly typed: string | undefined
  readonly onTyped: (text: string | undefined) => void
  /** Words beside a grant: why it was suggested, or that nothing used it. */
  readonly noteOf?: ((value: string) => string | undefined) | undefined
  /** Why the host refused a grant. */
  readonly refusalOf?: ((value: string) => string | undefined) | undefined
  /** Sentence about what is allowed besides. */
  readonly children?: ReactNode
}

const chipIcon = { read: 'folder', write: 'folder', hosts: 'globe' } as const

function GrantRow({ list, grants, onChange, typed, onTyped, noteOf, refusalOf, children }: GrantRowProps) {
  const { announce } = useActions()
  const words = listWords[list]
  const id = useId()
  const box = useRef<HTMLUListElement>(null)
  const [focusAt, setFocusAt] = useState<number | undefined>(undefined)
  const values = grants[list]
  const put = (next: readonly string[]): void => onChange?.({ ...grants, [list]: [...next] })

  // The chip that takes the place of the removed one, else the one before it, else the button that adds.
  useLayoutEffect(() => {
    if (focusAt === undefined) return
    const buttons = box.current?.querySelectorAll<HTMLElement>('button[data-chip]') ?? []
    ;(buttons[Math.min(focusAt, buttons.length - 1)] ?? box.current?.querySelector<HTMLElement>('button'))?.focus()
    setFocusAt(undefined)
  }, [focusAt])

  const remove = (at: number): void => {
    const value = values[at]
    if (value === undefined) return
    put(values.filter((_, index) => index !== at))
    announce(t`Removed: ${visibleTextOf(value)}`)
    setFocusAt(at)
  }
  const add = (value: string): void => {
    put([...values, value])
    announce(t`Added: ${visibleTextOf(value)}`)
    onTyped('')
  }
  const close = (): void => {
    onTyped(undefined)
    setFocusAt(values.length)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="may-row" role="group" aria-labelledby={id} data-grants={list}>
      <Icon name={words.icon} />
      <span id={id}>{words.label}</span>
      <div className="may-value">
        <ul className="chips" ref={box}>
          {values.map((value, at) => (
            <Chip
              key={value}
              list={list}
              value={value}
              note={noteOf?.(value)}
              refusal={refusalOf?.(value)}
              onRemove={onChange && (() => remove(at))}
            />
          ))}
          {onChange && typed === undefined && (
            <li>
              <button type="button" className="chip add" onClick={() => onTyped('')}>
                <Icon name="plus" small />
                {words.add}
              </button>
            </li>
          )}
        </ul>
        {typed !== undefined && (
          <GrantField
            list={list}
            grants={grants}
            typed={typed}
            onTyped={onTyped}
            onAdd={add}
            onClose={close}
            onBack={() => values.length > 0 && setFocusAt(values.length - 1)}
          />
        )}
        {children}
      </div>
    </div>
  )
}

interface ChipProps {
  readonly list: GrantList
  readonly value: string
  readonly note: string | undefined
  readonly refusal: string | undefined
  readonly onRemove: (() => void) | undefined
}

function Chip({ list, value, note, refusal, onRemove }: ChipProps) {
  const secret = list === 'hosts' ? undefined : secretKindOf(value)
  const isAnyWebsite = list === 'hosts' && value === '*'
  const onKeyDown = (event: KeyboardEvent): void => {
    const isAlone = !(event.metaKey || event.ctrlKey || event.altKey || event.repeat)
    if (!isAlone || (event.key !== 'Backspace' && event.key !== 'Delete')) return
    event.preventDefault()
    event.stopPropagation()
    onRemove?.()
  }
  return (
    <li className={cx('chip', (refusal !== undefined || secret) && 'bad')}>
      <Icon name={secret ? 'lock' : chipIcon[list]} small />
      <span className="chip-words">
        <span className="mono arg-word">
          <VisibleValue text={value} />
        </span>
        {isAnyWebsite && <Badge tone="warn">{t`any website`}</Badge>}
        {secret && <Badge tone="danger">{secretWords[secret].badge}</Badge>}
        {note !== undefined && <span className="chip-note">{note}</span>}
        {refusal !== undefined && (
          <FieldError>
            <VisibleText text={refusal} />
          </FieldError>
        )}
      </span>
      {onRemove && (
        <button
          type="button"
          data-chip=""
          aria-label={listWords[list].remove(visibleTextOf(value))}
          onClick={onRemove}
          onKeyDown={onKeyDown}
        >
          <Icon name="close" small />
        </button>
      )}
    </li>
  )
}

interface GrantFieldProps extends Pick<GrantRowProps, 'list' | 'grants' | 'onTyped'> {
  readonly typed: string
  readonly onAdd: (value: string) => void
  readonly onClose: () => void
  /** Backspace in the empty field. */
  readonly onBack: () => void
}

function GrantField({ list, grants, typed, onTyped, onAdd, onClose, onBack }: GrantFieldProps) {
  const words = listWords[list]
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [tried, setTried] = useState<boolean>(false)
  const [reviewed, setReviewed] = useState<boolean>(false)
  const pick = usePathPicker('folder', words.field)
  const check = checkGrant(list, typed, grants)
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [])
  const focusField = (): void => box.current?.querySelector('input')?.focus()

  const submit = (): void => {
    setTried(true)
    if (check.kind === 'secret') setReviewed(true)
    if (check.kind === 'ok') {
      setTried(false)
      onAdd(check.value)
      focusField()
    }
  }
  const type = (text: string): void => {
    setTried(false)
    setReviewed(false)
    onTyped(text)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement) || isTyping(event)) return
    if (event.key === 'Enter' && !(event.repeat || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey)) submit()
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Backspace' && typed === '' && !event.repeat) onBack()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const fault = tried && check.kind === 'fault' ? faultWords[check.fault] : undefined
  const input = {
    id,
    value: typed,
    'aria-label': words.field,
    'aria-invalid': fault === undefined ? undefined : true,
    'aria-describedby': fault === undefined ? undefined : `${id}-error`,
  } as const
  return (
    // What is typed is no part of what is allowed, and its completions are none.
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field within
    <div className="grant-field" data-ticks="" ref={box} onKeyDown={onKeyDown}>
      <div className="row wrap">
        {list === 'hosts' ? (
          <TextInput {...input} mono placeholder={t`api.example.com`} onChange={({ target }) => type(target.value)} />
        ) : (
          <PathInput {...input} onText={type} />
        )}
        <SmallButton onClick={submit}>{check.kind === 'secret' ? t`Review…` : t`Add`}</SmallButton>
        {list !== 'hosts' && pick && <SmallButton onClick={() => void pick().then((path) => path && type(path))}>{t`Choose…`}</SmallButton>}
        <SmallGhostButton onClick={onClose}>{t`Close`}</SmallGhostButton>
      </div>
      {fault !== undefined && <FieldError id={`${id}-error`}>{fault}</FieldError>}
      {reviewed && check.kind === 'secret' && (
        <SecretReview
          path={check.value}
          secret={check.secret}
          onKeep={() => {
            setReviewed(false)
            focusField()
          }}
          allow={
            <SmallButton
              danger
              onClick={() => {
                setReviewed(false)
                setTried(false)
                onAdd(check.value)
                focusField()
              }}
            >
              {t`Let it read this`}
            </SmallButton>
          }
        />
      )}
    </div>
  )
}

type Typed = Readonly<Partial<Record<GrantList, string>>>

/** Texts of the open fields. `isPending`: one holds text that was not added. */
export function useTypedGrants() {
  const [typed, setTyped] = useState<Typed>({})
  const set = (list: GrantList, text: string | undefined): void =>
    setTyped(({ [list]: _closed, ...others }) => (text === undefined ? others : { ...others, [list]: text }))
  return { typed, set, isPending: Object.values(typed).some((text) => text.trim() !== '') }
}

interface GrantEditorProps extends Pick<GrantRowProps, 'grants' | 'onChange'> {
  /** Goes with `onChange`. */
  readonly typed?: ReturnType<typeof useTypedGrants>
  readonly noteOf?: ((list: GrantList, value: string) => string | undefined) | undefined
  readonly refusalOf?: ((value: string) => string | undefined) | undefined
  /** Row of the environment. */
  readonly children?: ReactNode
}

export function GrantEditor({ grants, onChange, typed, noteOf, refusalOf, children }: GrantEditorProps) {
  const row = (list: GrantList): GrantRowProps => ({
    list,
    grants,
    onChange,
    typed: typed?.typed[list],
    onTyped: (text) => typed?.set(list, text),
    noteOf: noteOf && ((value) => noteOf(list, value)),
    refusalOf,
  })
  return (
    <div className="may">
      <GrantRow {...row('read')}>
        <p className="note">{t`Always: the system and its package.`}</p>
      </GrantRow>
      <GrantRow {...row('write')}>
        <p className="note">{t`Always: a home folder of its own.`}</p>
      </GrantRow>
      <GrantRow {...row('hosts')}>{grants.hosts.length === 0 && <p className="note">{t`None`}</p>}</GrantRow>
      {children}
      <Denied grants={grants} />
    </div>
  )
}

/** Whether grants open a secret place to a server. */
export const readsSecrets = ({ read }: Pick<SandboxGrants, 'read'>): boolean => read.some((path) => secretKindOf(path) !== undefined)

/** Exceptions from the grants, as its entry has them. */
function Denied({ grants: { denyRead, denyWrite, denyHosts } }: Pick<GrantEditorProps, 'grants'>) {
  const rows = [
    [t`Never read`, denyRead],
    [t`Never write`, denyWrite],
    [t`Never reach`, denyHosts],
  ] as const
  return rows.map(
    ([label, values]) =>
      values.length > 0 && (
        <MayRow key={label} icon="dash" label={label}>
          <Chips values={values} />
        </MayRow>
      ),
  )
}

interface MayRowProps {
  readonly icon: 'dash' | 'key'
  readonly label: string
  readonly children: ReactNode
}

const MayRow = ({ icon, label, children }: MayRowProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
  <div className="may-row" role="group" aria-label={label}>
    <Icon name={icon} />
    <span>{label}</span>
    <div className="may-value">{children}</div>
  </div>
)

const Chips = ({ values, warned }: { readonly values: readonly string[]; readonly warned?: ReadonlySet<string> }) => (
  <ul className="chips">
    {values.map((value) => (
      <li key={value} className={cx('chip', warned?.has(value) && 'warn')}>
        {warned?.has(value) && <Icon name="warning" small />}
        <VisibleText className="mono arg-word" text={value} />
      </li>
    ))}
  </ul>
)

interface EnvironmentRowProps {
  readonly names: readonly string[]
  /** Variables that choose what runs or where traffic goes. */
  readonly variables?: Extract<LaunchTarget, { transport: 'stdio' }>['variables']
  readonly children?: ReactNode
}

/** Variables that a server is given: by name, and those with an effect with their value. */
export const EnvironmentRow = ({ names, variables = [], children }: EnvironmentRowProps) => (
  <MayRow icon="key" label={t`Environment`}>
    {names.length > 0 && <Chips values={names} warned={new Set(variables.map(({ name }) => name))} />}
    {variables.map(({ name, value, effect }) => (
      <p key={name} className="note">
        <span className="mono arg-word">
          <VisibleText as="b" text={name} />
          =<VisibleValue text={value} />
        </span>{' '}
        <span className="warntext">{effect === 'code' ? t`chooses what runs` : t`chooses where it connects`}</span>
      </p>
    ))}
    <p className="note">{t`Always: PATH, HOME, language and the like.`}</p>
    {children}
  </MayRow>
)
