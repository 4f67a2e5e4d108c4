import { t } from '../i18n/translate.ts'
import type { ServerDefinition } from './definition.ts'

const word = (text: string): string => (text === '' || /\s/.test(text) ? JSON.stringify(text) : text)

/** Formats the command as a person would type it; the address of a remote server. For reading, never for a shell. */
export function commandLine(definition: ServerDefinition): string {
  if (definition.transport === 'stdio') return [definition.command, ...definition.args].map(word).join(' ')
  return definition.transport === 'builtin' ? t`built in: ${definition.module}` : definition.url
}
