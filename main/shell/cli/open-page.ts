// Pages that were allowed, on the command line: in the browser where a person sits at the terminal and has one; else the
// address is told on stderr, for whoever reads that. Either way it is told, since the browser may be on another screen.

import { t } from '#app/words/translate.ts'
import { openInBrowser } from '#main/shell/node/browser.ts'
import { visible } from './output.ts'

export interface PageOpenerOptions {
  readonly note: (line: string) => void
  /** Somebody reads what is told as it is told. */
  readonly terminal: boolean
  readonly open?: (url: string) => Promise<boolean>
}

export function createPageOpener({ note, terminal, open = openInBrowser }: PageOpenerOptions) {
  return async ({ url }: { readonly url: string }): Promise<'host' | 'page'> => {
    if (terminal && (await open(url))) {
      note(t`Opened in the browser: ${visible(url)}`)
      return 'host'
    }
    note(t`Open this page: ${visible(url)}`)
    return 'page'
  }
}
