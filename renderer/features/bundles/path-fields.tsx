// Where a bundle wants to be told a folder or a file: by the system's own picker where the shell has one, else typed, with
// what it may become. Several stand a row each.
import { useRef } from 'react'
import type { BundleField } from '#app/server/bundle/user-config.ts'
import { t } from '#app/words/translate.ts'
import { PathInput, usePathCompletion } from '#renderer/features/folders/path-input.tsx'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import type { FieldIds } from '#renderer/ui/field.tsx'
import { revealedText } from '#renderer/ui/revealed.tsx'

interface PathFieldProps {
  readonly field: BundleField
  readonly ids: FieldIds
  /** Several: one a line. */
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Undefined: this shell has none. */
function usePicker({ type, title }: BundleField): (() => Promise<string | undefined>) | undefined {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  if (!canChoose) return undefined
  return async () => (await ask(type === 'file' ? 'app.chooseFile' : 'app.chooseFolder', { title: title.slice(0, 100) }))?.path ?? undefined
}

export function PathField({ field, ids, text, onChange }: PathFieldProps) {
  const choose = usePicker(field)
  return (
    <span className="row">
      <PathRow field={field} ids={ids} path={text} onType={onChange} />
      {choose ? <Button onClick={() => void choose().then((path) => path !== undefined && onChange(path))}>{t`Choose…`}</Button> : null}
    </span>
  )
}

export function PathsField({ field, ids, text, onChange }: PathFieldProps) {
  const choose = usePicker(field)
  const box = useRef<HTMLDivElement>(null)
  const rows = text.split('\n')
  const what = field.type === 'file' ? t`file` : t`folder`
  const put = (paths: readonly string[]): void => onChange(paths.join('\n'))
  const add = async (): Promise<void> => {
    const path = choose ? await choose() : ''
    if (path === undefined) return
    const kept = rows.filter((row, index) => row !== '' || (path === '' && index < rows.length - 1))
    put([...kept, path])
    // The new row is in the page once it was drawn.
    if (path === '') requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }
  const name = (index: number): string => `${revealedText(field.title)} ${index + 1}`
  return (
    <div className="bundle-paths" ref={box}>
      <ul>
        {rows.map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places of one setting have no other identity
          <li key={index} className="row">
            <PathRow
              field={field}
              ids={index === 0 ? ids : { ...ids, id: `${ids.id}-${index}` }}
              label={index === 0 ? undefined : name(index)}
              path={path}
              onType={(typed) => put(rows.map((row, at) => (at === index ? typed : row)))}
            />
            {rows.length > 1 ? (
              <IconButton label={t`Remove ${name(index)}`} icon="close" small onClick={() => put(rows.filter((_, at) => at !== index))} />
            ) : null}
          </li>
        ))}
      </ul>
      <Button size="sm" icon="plus" onClick={() => void add()}>
        {choose ? t`Add a ${what}…` : t`One more ${what}`}
      </Button>
    </div>
  )
}

interface PathRowProps {
  readonly field: BundleField
  readonly ids: FieldIds
  readonly path: string
  readonly label?: string | undefined
  readonly onType: (path: string) => void
}

function PathRow({ field, ids, path, label, onType }: PathRowProps) {
  const { folders } = usePathCompletion(path, field.type === 'file')
  // A line break would be one more path.
  return <PathInput {...ids} aria-label={label} value={path} folders={folders} onType={(typed) => onType(typed.replaceAll('\n', ' '))} />
}
