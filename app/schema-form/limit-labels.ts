// Limits of a value in a form: a number, or how many characters, items or members it may have.
import { t } from '../i18n/translate.ts'
import type { Json } from '../json.ts'

export const minimumLabel = (limit: Json | undefined): string => t`Minimum: ${String(limit)}.`
export const maximumLabel = (limit: Json | undefined): string => t`Maximum: ${String(limit)}.`
