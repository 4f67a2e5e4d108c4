// Notes of the readers of pasted texts and of files of other applications: what was left out, replaced or refused, and what to do.
import { t } from '#app/i18n/translate.ts'
import type { ConfigProblem } from '../definition.ts'

export type ImportNote = Pick<ConfigProblem, 'message' | 'remedy'>

const short = (text: string): string => text.slice(0, 80)

export const pasteRemedy = (): string => t`Paste the server's command, address or JSON.`
const checkRemedy = (): string => t`Check it in the form.`

/** Note about a setting that Assent has in another place, or not at all. */
export const leftOut = (what: string): ImportNote => ({ message: t`“${short(what)}” was left out.`, remedy: checkRemedy() })
export const readAs = (what: string, as: string): ImportNote => ({
  message: t`“${short(what)}” was read as “${short(as)}”.`,
  remedy: checkRemedy(),
})
export const isPlaceholder = (what: string): ImportNote => ({ message: t`“${short(what)}” is a placeholder.`, remedy: t`Write your own.` })
export const isElsewhere = (path: string): ImportNote => ({
  message: t`“${short(path)}” may be another person’s folder.`,
  remedy: t`Write your own.`,
})
export const notRun = (what: string): ImportNote => ({ message: t`“${short(what)}” is not run.`, remedy: t`Write the value itself.` })
export const notServer = (what: string): ImportNote => ({ message: t`“${short(what)}” is not a server.`, remedy: pasteRemedy() })
export const unreadable = (what: string, remedy = pasteRemedy()): ImportNote => ({ message: t`“${short(what)}” cannot be read.`, remedy })
export const notNamed = (what: string): ImportNote => ({
  message: t`Nothing says that “${short(what)}” is an MCP server.`,
  remedy: checkRemedy(),
})
