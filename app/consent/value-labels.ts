// What a value of a form has to be: its limits (a number, or how many characters, items or members), and its format.
import { t } from '../i18n/translate.ts'
import type { Json } from '../json.ts'

export const minimumLabel = (limit: Json | undefined): string => t`Minimum: ${String(limit)}.`
export const maximumLabel = (limit: Json | undefined): string => t`Maximum: ${String(limit)}.`

/** Asks for a text in a format. `example`: one in it. */
export const writeLike = (example: string): string => t`Write it like ${example}.`
