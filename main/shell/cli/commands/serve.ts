// The web shell from the command line: one host, until a signal. The host is loaded while the page loads, since that takes longer than
// everything that the link needs. The profile is opened first, so its errors are known at once.
import { lookup } from 'node:dns/promises'
import { createInterface } from 'node:readline'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { systemClock } from '#main/base/clock.ts'
import { type Log, streamLog } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import type { Platform } from '#main/platform.ts'
import { type BrowserOpener, createBrowserOpener } from '#main/shell/node/open-browser.ts'
import { createDiagramFrame } from '#main/shell/node/page-content.ts'
import { diagramScript, readAppVersion, rendererFolder } from '#main/shell/node/program-files.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { takeOver } from '#main/shell/socket/join-host.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import { readAssets } from '#main/shell/web/page-files.ts'
import { startWebShell, type WebShell } from '#main/shell/web/web-shell.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Options } from '../command-line.ts'
import { openProfile, type Profile } from '../data-folder.ts'
import { type ExitCode, exitCodes, onInterrupt } from '../exit-codes.ts'
import type { CliOutput } from '../output.ts'

export async function serve(options: Options, output: CliOutput): Promise<ExitCode> {
  const stopped = Promise.withResolvers<void>()
  const stopSignals = onInterrupt(() => stopped.resolve())
  try {
    await serveUntil(stopped.promise, options, output)
  } finally {
    stopSignals()
  }
  return exitCodes.done
}

async function serveUntil(stopped: Promise<void>, options: Options, output: CliOutput): Promise<void> {
  const profile = await openProfile(options, output, { temporary: false })
  const assets = readAssets(rendererFolder)
  if (!assets) throw new HostError('platform.unavailable', t`The page is not built yet. Run \`npm run build\`, then start again.`)

  const log = streamLog(process.stderr, { debug: options.verbose })
  // A fault of one server or page must not end the host.
  process.on('unhandledRejection', (error) => log.error('Something failed that nobody waited for', error))
  await takeOver(profile.dataDir)
  const ending: (() => Promise<void>)[] = []
  const { host, failed, dispose, onOtherAccount } = createLazyHost({ profile, log, roots: options.roots ?? [], sandbox: options.sandbox })
  try {
    const diagramFrame = createDiagramFrame(diagramScript)
    const shell = await startWebShell({ host, assets, diagramFrame, port: options.port, log, onOtherAccount })
    const browser = createBrowserOpener({ folder: profile.dataDir })
    try {
      const link = createPageUrls(shell)
      output.value({ url: link() })
      const commands = await listenForCommands({ host, dataDir: profile.dataDir, version: readAppVersion(), log, clock: systemClock })
      ending.push(commands.close)
      void host().then(
        (loaded) =>
          loaded.listenForAgents(async (port, onOther) => {
            const { listenForAgents } = await import('#main/shell/mcp/agent-http.ts')
            return listenForAgents({ host: loaded, port, version: readAppVersion(), log, clock: systemClock, onOther })
          }),
        () => undefined, // `failed` rejects.
      )
      const stopLinks = process.stdin.isTTY ? offerLinks(link, output) : undefined
      if (options.open) await openPage(shell, browser, output)
      await Promise.race([stopped, failed])
      stopLinks?.()
    } finally {
      browser.dispose()
      await shell.close()
    }
  } finally {
    for (const close of ending) await close()
    await dispose()
  }
}

async function openPage(shell: WebShell, browser: BrowserOpener, output: CliOutput): Promise<void> {
  const url = shell.newLink(() => browser.used(url), await findsNamesUnderLocalhost())
  const opened = await browser.open(url)
  if (opened === 'unreadable' || opened === 'no-browser') output.note(t`No browser could be opened. Open the link above.`)
}

/** Whether browsers here find names under `localhost`. Chromium and Firefox always do; Safari asks the system, which knows them since macOS 26. */
const findsNamesUnderLocalhost = (): Promise<boolean> =>
  process.platform === 'darwin'
    ? lookup('assent.localhost').then(
        () => true,
        () => false,
      )
    : Promise.resolve(true)

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
  output.note(t`The link works once. Enter: a new link. Ctrl-C: stop.`)
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', () => output.value({ url: link() }))
  return () => lines.close()
}

interface LazyHostOptions {
  readonly profile: Profile
  readonly log: Log
  readonly roots: readonly string[]
  readonly sandbox?: 'on' | 'off' | undefined
  /** Default: the page shows what waits. */
  readonly notify?: Platform['notify']
}

/** Milliseconds after which the host is loaded without a page, since servers start with it. */
const withinMs = 500

/** @throws {HostError} `profile.*` or `disk.full` when the profile cannot be opened. */
export function createLazyHost(options: LazyHostOptions) {
  const { profile, log } = options
  const store = openStore({ dataDir: profile.dataDir, clock: systemClock, log })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined) // It may reject before it is awaited.
  let loading: Promise<Host> | undefined
  function host(): Promise<Host> {
    if (!loading) {
      stopWaiting()
      loading = load(options, store)
      loading.catch(failed.reject)
    }
    return loading
  }
  const stopWaiting = systemClock.after(withinMs, () => void host())
  return {
    host,
    /** Never resolves. @throws {unknown} why the host cannot be loaded */
    failed: failed.promise,
    /** Puts on record that a program of another account came to the page. */
    onOtherAccount(uid: number | null): void {
      store.audit.append({ kind: 'sign-in', decision: 'refused', detail: { name: 'Assent', reason: 'another-account', account: uid } })
    },
    async dispose(): Promise<void> {
      stopWaiting()
      await loading?.then(
        (loaded) => loaded.dispose(),
        () => undefined, // `failed` rejects.
      )
      store.close()
    },
  }
}

async function load({ profile, log, roots, sandbox, notify }: LazyHostOptions, store: Store): Promise<Host> {
  const [{ createHost }, { createNodePlatform }, secrets, stateKey] = await Promise.all([
    import('#main/host.ts'),
    import('#main/shell/node/node-platform.ts'),
    openKeyring(serviceOf(profile.dataDir, profile.isDefault), process.env),
    openStateKey(profile),
  ])
  return createHost({
    dataDir: profile.dataDir,
    store,
    version: readAppVersion(),
    log,
    platform: createNodePlatform({ kind: 'web', secrets, profile, ...defined({ notify }) }),
    stateKey,
    roots,
    ...defined({ sandbox }),
    ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
  })
}
