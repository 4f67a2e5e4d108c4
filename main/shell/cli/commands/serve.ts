// The web shell from the command line: one host, until a signal.
import { createInterface } from 'node:readline'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { streamLog } from '#main/base/host-log.ts'
import { type BrowserOpener, createBrowserOpener } from '#main/shell/node/open-browser.ts'
import { createDiagramFrame } from '#main/shell/node/page-content.ts'
import { diagramScript, rendererFolder } from '#main/shell/node/program-files.ts'
import { readAssets, startWebShell, type WebShell } from '#main/shell/web/web-shell.ts'
import type { Options } from '../command-line.ts'
import { openProfile } from '../data-folder.ts'
import { type ExitCode, exitCodes, onInterrupt } from '../exit-codes.ts'
import { createLazyHost } from '../lazy-host.ts'
import type { CliOutput } from '../output.ts'

export async function serve(options: Options, output: CliOutput): Promise<ExitCode> {
  const stopped = Promise.withResolvers<void>()
  const stopSignals = onInterrupt(() => stopped.resolve())
  const profile = openProfile(options, { temporary: false })
  const assets = readAssets(rendererFolder)
  if (!assets) throw new HostError('platform.unavailable', t`The page is not built yet. Run \`npm run build\`, then start again.`)

  const log = streamLog(process.stderr, { debug: options.verbose })
  // A fault of one server or page must not end the host.
  process.on('unhandledRejection', (error) => log.error('Something failed that nobody waited for', error))
  const { host, failed, dispose } = createLazyHost({ profile, log, roots: options.roots ?? [] })
  try {
    const shell = await startWebShell({ host, assets, diagramFrame: createDiagramFrame(diagramScript), port: options.port, log })
    const browser = createBrowserOpener({ folder: profile.dataDir })
    try {
      const link = createPageUrls(shell)
      output.value({ url: link() })
      const stopLinks = process.stdin.isTTY ? offerLinks(link, output) : undefined
      if (options.open) await openPage(shell, browser, output)
      await Promise.race([stopped.promise, failed])
      stopLinks?.()
    } finally {
      browser.dispose()
      await shell.close()
    }
  } finally {
    await dispose()
    stopSignals()
  }
  return exitCodes.done
}

async function openPage(shell: WebShell, browser: BrowserOpener, output: CliOutput): Promise<void> {
  const url = shell.newLink(() => browser.used(url))
  const opened = await browser.open(url)
  if (opened === 'unreadable') output.note(t`Your browser cannot read a file of Assent’s. Open the link above.`)
  if (opened === 'no-browser') output.note(t`No browser could be opened. Open the link above.`)
}

/** Returns a maker of links: the same link until it was used, then a new one. */
export function createPageUrls(shell: Pick<WebShell, 'newLink'>): () => string {
  let unused: string | undefined
  return () => {
    unused ??= shell.newLink(() => {
      unused = undefined
    })
    return unused
  }
}

/** Prints a valid link when the person presses Enter. Returns its undo. */
function offerLinks(link: () => string, output: CliOutput): () => void {
  output.note(t`The link works once. Press Enter for one that works, Ctrl-C to stop.`)
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', () => output.value({ url: link() }))
  return () => lines.close()
}
