// What stands in a form that a server asks for, as its controls hold it. An empty text or number is no answer.
export type FormValue = string | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

export interface FormDraft {
  readonly values: FormValues
  /** Fields that were changed, by name: what is wrong with them is said at once. */
  readonly changed: readonly string[]
  /** The person tried to go on: what is wrong is said of every field. */
  readonly checked: boolean
}
