// Deep links and bundle files that are opened with Assent. On a Mac they come as events of the app, maybe before it is ready; elsewhere on
// the command line, of this instance or of a second one that then quits. Nothing else of a command line is read here: whoever can have a
// link opened can choose its words.
import { resolve } from 'node:path'
import { app } from 'electron'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import type { IncomingLink } from '#main/install/deep-link-queue.ts'

/** Scheme of `assent://install?…`. The page itself is served by another scheme, which no other program can open. */
export const linkScheme = 'assent'

/**
 * Returns the link or file in a command line, which is its last argument: Windows passes it there, and people open one at a time. A file's
 * path is relative to `folder`, in which the command was given.
 */
export function deepLinksInArguments(args: readonly string[], folder: string): IncomingLink | undefined {
  const last = args.at(-1)
  if (last === undefined || last.startsWith('-')) return undefined
  if (last.toLowerCase().startsWith(`${linkScheme}:`)) return { kind: 'link', text: last }
  return isBundleFile(last) ? { kind: 'file', path: resolve(folder, last) } : undefined
}

const mostEarly = 5

/** Listens for links and files; to be called before the app is ready. */
export function listenForDeepLinks() {
  const early: IncomingLink[] = []
  let take = (thing: IncomingLink): void => {
    if (early.length < mostEarly) early.push(thing)
  }
  let show = (): void => undefined
  app.on('second-instance', (_event, argv, folder) => {
    show()
    const thing = deepLinksInArguments(argv.slice(1), folder)
    if (thing) take(thing)
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    if (url.toLowerCase().startsWith(`${linkScheme}:`)) take({ kind: 'link', text: url })
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (isBundleFile(path)) take({ kind: 'file', path })
  })
  return {
    deliver(to: (thing: IncomingLink) => void, onSecond: () => void): void {
      take = to
      show = onSecond
      for (const thing of early.splice(0)) to(thing)
    },
  }
}
