// The form of a bundle's settings as it is filled in: what was entered, and what is wrong with it, by this page's own check
// and by the host's. What is wrong is said at its field, which takes the focus.
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ErrorValue } from '#app/errors.ts'
import type { BundleField } from '#app/server/bundle/user-config.ts'
import { type Entered, errorAtField, errorsOf } from './values.ts'

type Errors = Readonly<Record<string, string>>

export interface EnteredForm {
  readonly entered: Entered
  /** Whether it was to be sent already: only from then on is anything called wrong. */
  readonly checked: boolean
  errors(fields: readonly BundleField[]): Errors
  change(key: string, value: string | boolean): void
  /** Whether it can be sent. `also`: another field of the same form that cannot. */
  check(fields: readonly BundleField[], also?: string): boolean
  /** Whether the host's error is of one of the fields, and is said there. */
  tell(fields: readonly BundleField[], error: ErrorValue): boolean
}

export function useEntered(body: RefObject<HTMLElement | null>, first: () => Entered): EnteredForm {
  const [entered, setEntered] = useState(first)
  const [checked, setChecked] = useState<boolean>(false)
  const [told, setTold] = useState<Errors>({})
  const focus = (key: string): void =>
    body.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"] :is(input, textarea)`)?.focus()
  return {
    entered,
    checked,
    errors: (fields) => ({ ...told, ...(checked ? errorsOf(fields, entered) : {}) }),
    change(key, value) {
      setEntered((before) => ({ ...before, [key]: value }))
      setTold(({ [key]: _, ...others }) => others)
    },
    check(fields, also) {
      // What is wrong shows first, so that it can take focus.
      flushSync(() => setChecked(true))
      const key = also ?? Object.keys(errorsOf(fields, entered))[0]
      if (key !== undefined) focus(key)
      return key === undefined
    },
    tell(fields, error) {
      const at = errorAtField(fields, error)
      flushSync(() => setTold(at ?? {}))
      for (const key of Object.keys(at ?? {})) focus(key)
      return at !== undefined
    },
  }
}
