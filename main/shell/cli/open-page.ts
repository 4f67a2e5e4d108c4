// Pages that were allowed, on the command line: in the browser where a person sits at the terminal and has one; else the
// address is told on stderr, for whoever reads that. Either way it is told, since the browser may be on another screen.

import { t } from '#app/words/translate.ts'
import type { BrowserOpener } from '#main/shell/node/browser.ts'
import { visibleLine } from './output.ts'

export interface PageOpenerOptions {
  readonly note: (line: string) => void
  /** Somebody reads what is told as it is told. */
  readonly terminal: boolean
  readonly browser: Pick<BrowserOpener, 'open'>
}

export function createPageOpener({ note, terminal, browser }: PageOpenerOptions) {
  return async ({ url }: { readonly url: string }): Promise<'host' | 'page'> => {
    const opened = terminal ? await browser.open(url) : 'no-browser'
    if (opened === 'unreadable') note(t`Your browser cannot read a file of Assent’s.`)
    if (opened === 'opened') {
      note(t`Opened in the browser: ${visibleLine(url)}`)
      return 'host'
    }
    note(t`Open this page: ${visibleLine(url)}`)
    return 'page'
  }
}
