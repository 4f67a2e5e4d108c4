// The web shell from the command line: one host, one page, until it is told to stop.
import { createInterface } from 'node:readline'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { streamLog } from '#main/base/log.ts'
import { createHost } from '#main/host.ts'
import { openInBrowser } from '#main/shell/node/browser.ts'
import { createDiagramFrame } from '#main/shell/node/diagram-frame.ts'
import { diagramScript, readVersion, rendererFolder } from '#main/shell/node/places.ts'
import { createNodePlatform } from '#main/shell/node/platform.ts'
import { openSecrets, serviceOf } from '#main/shell/node/secrets.ts'
import { readAssets } from '#main/shell/web/assets.ts'
import { startWebShell, type WebShell } from '#main/shell/web/web-shell.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit.ts'
import type { Output } from '../output.ts'
import { openProfile } from '../profile.ts'
import { onInterrupt } from '../with-host.ts'

export async function serve(options: Options, output: Output): Promise<ExitCode> {
  const stopped = Promise.withResolvers<void>()
  const stopSignals = onInterrupt(() => stopped.resolve())
  const profile = openProfile(options, { temporary: false })
  const assets = readAssets(rendererFolder)
  if (!assets) throw new HostError('platform.unavailable', t`The page is not built yet. Run \`npm run build\`, then start again.`)

  const log = streamLog(process.stderr, { debug: options.verbose })
  // A server's or a page's fault must not end the host of all the others.
  process.on('unhandledRejection', (error) => log.error('Something failed that nobody waited for', error))
  const secrets = await openSecrets(serviceOf(profile.dataDir, profile.isDefault), process.env)
  const host = createHost({
    dataDir: profile.dataDir,
    version: readVersion(),
    log,
    platform: createNodePlatform({ kind: 'web', secrets }),
    roots: options.roots ?? [],
    ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
  })
  try {
    const shell = await startWebShell({ host, assets, diagramFrame: createDiagramFrame(diagramScript), port: options.port, log })
    try {
      output.value({ url: shell.newLink() })
      const stopLinks = process.stdin.isTTY ? offerLinks(shell, output) : undefined
      if (options.open && !(await openInBrowser(shell.newLink()))) output.note('No browser could be opened. Open the link above.')
      await stopped.promise
      stopLinks?.()
    } finally {
      await shell.close()
    }
  } finally {
    await host.dispose()
    stopSignals()
  }
  return exitCodes.done
}

/** On a terminal, Enter shows a new link. Returns its undo. */
function offerLinks(shell: WebShell, output: Output): () => void {
  output.note('The link works once. Press Enter for a new one, Ctrl-C to stop.')
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', () => output.value({ url: shell.newLink() }))
  return () => lines.close()
}
