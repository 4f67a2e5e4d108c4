// Fields for the path of a file or folder on this computer: typed with completions, or chosen in the system's own picker.
import type { RequestResult } from '#app/contract/requests.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { Button } from '../button.tsx'
import { type FieldIds, SuggestingInput } from '../field.tsx'
import { useHostAnswer } from '../lib/use-host-answer.ts'

type PathKind = 'file' | 'folder'

/** Opens the system's own picker and gives the chosen path, or undefined. The hook gives undefined where this shell has no picker. */
export function usePathPicker(kind: PathKind, title: string): (() => Promise<string | undefined>) | undefined {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  if (!canChoose) return undefined
  return async () => (await ask(kind === 'file' ? 'app.chooseFile' : 'app.chooseFolder', { title: title.slice(0, 100) }))?.path ?? undefined
}

const none: RequestResult<'folder.complete'> = { folders: [], more: false }

/** Completions of the typed path. `file`: files too, not only folders. */
export function usePathCompletion(typed: string, kind: PathKind = 'folder'): typeof none {
  const params = { typed, ...(kind === 'file' ? { files: true } : {}) }
  const { value, error } = useHostAnswer('folder.complete', /[/\\]/.test(typed) ? params : undefined)
  return value && !error ? value : none
}

interface PathInputProps extends FieldIds {
  readonly kind?: PathKind
  readonly value: string
  readonly onText: (path: string) => void
  readonly 'aria-label'?: string | undefined
}

export function PathInput({ kind, ...input }: PathInputProps) {
  return <SuggestingInput {...input} mono suggestions={usePathCompletion(input.value, kind).folders} />
}

/** The input, and the system's picker where there is one. `title`: of the picker. */
export function PathField({ title, ...input }: PathInputProps & { readonly kind: PathKind; readonly title: string }) {
  const choose = usePathPicker(input.kind, title)
  return (
    <span className="row">
      <PathInput {...input} />
      {choose ? <Button onClick={() => void choose().then((path) => path && input.onText(path))}>{t`Choose…`}</Button> : null}
    </span>
  )
}
