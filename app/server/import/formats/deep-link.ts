// Reader of Assent's own install link: `assent://install?name=…&config=…` (docs/install-links.md). It can only bring a server to the
// screen that adds one; any other parameter is left out, and named.
import { t } from '#app/i18n/translate.ts'
import type { Snippet } from '../../candidate.ts'
import { readSnippet } from '../read-snippet.ts'
import { refusedLink } from './install-links.ts'

const refused = (): Snippet => refusedLink(t`the link`)

/** Reads pasted text, a link of Assent’s among it. */
export const readPasted = (text: string): Snippet => (/^\s*assent:/i.test(text) ? readInstallLink(text.trim()) : readSnippet(text))

/** Reads the link. Never throws: what cannot be used is among the problems. */
export function readInstallLink(text: string): Snippet {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'assent:') return refused()
  const action = `${url.host}${url.pathname}`.replace(/^\/+|\/+$/g, '')
  if (action !== 'install') return refused()
  const snippet = readSnippet(text, t`the link`)
  return snippet.format === 'install-link' ? snippet : refused()
}
