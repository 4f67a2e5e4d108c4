import type { ComponentType, ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'

/** What all parts of one form share. */
export interface FormState {
  /** Draws one part of a value; lists and objects draw theirs by it. */
  readonly Part: ComponentType<PartProps>
  /** The whole schema: references lead through it. */
  readonly root: JsonObject
  /** By JSON Pointer: those that are to be seen. */
  readonly errors: Readonly<Record<string, string>>
  /** What is written there is no value yet: undefined, it is again. */
  readonly setBroken: (at: string, problem: string | undefined) => void
  /** The person was there: its errors are said from then on. */
  readonly touch: (at: string) => void
  /** What stood at or below that place is gone, or elsewhere. */
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

/** The error of a place and, where what is within has no fields of its own, the first of those. */
export function errorAt(errors: FormState['errors'], at: string, within = false): string | undefined {
  if (Object.hasOwn(errors, at)) return errors[at]
  if (!within) return undefined
  const inner = Object.keys(errors).find((place) => place.startsWith(`${at}/`))
  return inner === undefined ? undefined : t`At ${inner.slice(at.length)}: ${errors[inner] ?? ''}`
}
