import type { Attack } from './attack.ts'
import { definitions } from './families/definitions.ts'
import { descriptions } from './families/descriptions.ts'
import { names } from './families/names.ts'
import { results } from './families/results.ts'

export const families: readonly Attack[] = [...descriptions, ...definitions, ...names, ...results]
