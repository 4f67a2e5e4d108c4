// The web shell from the command line: one host, one page, until it is told to stop.
import { createInterface } from 'node:readline'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { streamLog } from '#main/base/log.ts'
import { openInBrowser } from '#main/shell/node/browser.ts'
import { createDiagramFrame } from '#main/shell/node/diagram-frame.ts'
import { diagramScript, rendererFolder } from '#main/shell/node/places.ts'
import { readAssets } from '#main/shell/web/assets.ts'
import { startWebShell, type WebShell } from '#main/shell/web/web-shell.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit.ts'
import { onInterrupt } from '../interrupt.ts'
import { createLaterHost } from '../later-host.ts'
import type { Output } from '../output.ts'
import { openProfile } from '../profile.ts'

export async function serve(options: Options, output: Output): Promise<ExitCode> {
  const stopped = Promise.withResolvers<void>()
  const stopSignals = onInterrupt(() => stopped.resolve())
  const profile = openProfile(options, { temporary: false })
  const assets = readAssets(rendererFolder)
  if (!assets) throw new HostError('platform.unavailable', t`The page is not built yet. Run \`npm run build\`, then start again.`)

  const log = streamLog(process.stderr, { debug: options.verbose })
  // A server's or a page's fault must not end the host of all the others.
  process.on('unhandledRejection', (error) => log.error('Something failed that nobody waited for', error))
  const { host, failed, dispose } = createLaterHost({ profile, log, roots: options.roots ?? [] })
  try {
    const shell = await startWebShell({ host, assets, diagramFrame: createDiagramFrame(diagramScript), port: options.port, log })
    try {
      output.value({ url: shell.newLink() })
      const stopLinks = process.stdin.isTTY ? offerLinks(shell, output) : undefined
      if (options.open && !(await openInBrowser(shell.newLink()))) output.note(t`No browser could be opened. Open the link above.`)
      await Promise.race([stopped.promise, failed])
      stopLinks?.()
    } finally {
      await shell.close()
    }
  } finally {
    await dispose()
    stopSignals()
  }
  return exitCodes.done
}

/** On a terminal, Enter shows a new link. Returns its undo. */
function offerLinks(shell: WebShell, output: Output): () => void {
  output.note(t`The link works once. Press Enter for a new one, Ctrl-C to stop.`)
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', () => output.value({ url: shell.newLink() }))
  return () => lines.close()
}
