// Rows that were written from SECURITY.md and the guide alone, not from the code that they try.
import type { Attack } from '../../attack.ts'
import { codeVariables } from './code-variables.ts'
import { pathForms } from './path-forms.ts'
import { secretForms } from './secret-forms.ts'

export const bound: readonly Attack[] = [...codeVariables, ...pathForms, ...secretForms]
