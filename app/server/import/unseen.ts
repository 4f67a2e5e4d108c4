import { hasHidden } from '../../consent/reveal.ts'
import { t } from '../../words/translate.ts'
import type { ServerDefinition } from '../definition.ts'

/** Which fields of a definition hold characters that a person cannot see. Of a value only that it does. */
export function unseenIn(definition: ServerDefinition): string[] {
  if (definition.transport === 'builtin') return []
  const named: readonly [string, readonly string[]][] =
    definition.transport === 'stdio'
      ? [
          [t`the command`, [definition.command, definition.cwd ?? '']],
          [t`its arguments`, definition.args],
          [t`its variables`, Object.entries(definition.env).flat()],
        ]
      : [
          [t`its address`, [definition.url]],
          [t`its headers`, Object.entries(definition.headers).flat()],
        ]
  return named.flatMap(([field, texts]) => (texts.some(hasHidden) ? [field] : []))
}
