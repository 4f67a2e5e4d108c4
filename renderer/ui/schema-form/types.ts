import type { ComponentType, ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'

/** State that all parts of one form share. Places are JSON Pointers. */
export interface FormState {
  /** Draws a part; lists and objects draw their members with it. */
  readonly Part: ComponentType<PartProps>
  readonly root: JsonObject
  readonly errors: Readonly<Record<string, string>>
  /** Reports that the text at a place is no value; undefined: it is one again. */
  readonly setBroken: (at: string, problem: string | undefined) => void
  /** Reports that the person was at a place: its errors are shown from then on. */
  readonly touch: (at: string) => void
  /** Drops the state at and below a place, whose content is gone or moved. */
  readonly forget: (at: string) => void
}

export interface PartProps {
  readonly label: ReactNode
  readonly needed: boolean
  readonly schema: Json
  readonly value: Json
  /** JSON Pointer. */
  readonly at: string
  readonly depth: number
  readonly state: FormState
  readonly onChange: (value: Json) => void
}

/** The error of a place. `within`: else the first error below it, for a part whose members have no controls. */
export function errorAt(errors: FormState['errors'], at: string, within = false): string | undefined {
  if (Object.hasOwn(errors, at)) return errors[at]
  if (!within) return undefined
  const inner = Object.keys(errors).find((place) => place.startsWith(`${at}/`))
  return inner === undefined ? undefined : t`At ${inner.slice(at.length)}: ${errors[inner] ?? ''}`
}
