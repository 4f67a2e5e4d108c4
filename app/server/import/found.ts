import type { ConfigProblem, ServerDefinition } from '../definition.ts'
import { plainSecretsOf } from '../plain-secrets.ts'
import type { FoundServer } from './snippet.ts'

/** What holds for a server until the person says otherwise. */
export const asDefined = { enabled: true, start: 'needed', trusted: false } as const

/** More of them on one server help nobody. */
const mostNotes = 50

export interface Where {
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly project?: string | undefined
}

/** Whoever wrote the text: whether to trust its servers, and which start with the app, is not for it to say. */
export function found(
  name: string,
  definition: ServerDefinition,
  { line, column, project }: Where,
  problems: readonly ConfigProblem[] = [],
): FoundServer {
  const own = definition.transport === 'builtin' ? definition : { ...definition, trusted: false, start: 'needed' as const }
  return {
    name,
    definition: own,
    secrets: plainSecretsOf(own),
    // One variable may stand in several places.
    problems: [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].slice(0, mostNotes),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(project === undefined ? {} : { project }),
  }
}
