// What another program, or the person, opens with Assent: links of our scheme and bundles. On a Mac they come as events of
// the app, maybe before it is ready; elsewhere on the command line, of this instance or of a second one that then leaves.
// Nothing else of a command line is heard here: whoever can have a link opened can choose its words.
import { app } from 'electron'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import type { IncomingLink } from '#main/install/deep-links.ts'

/** `assent://install?…`. Apart from the scheme that our own page is served by, which no other program can open. */
export const linkScheme = 'assent'

/** At most one of a command line: a person opens one thing at a time, and Windows hands over the link as the last word. */
export function deepLinksInArguments(args: readonly string[]): IncomingLink | undefined {
  const last = args.at(-1)
  if (last === undefined || last.startsWith('-')) return undefined
  if (last.toLowerCase().startsWith(`${linkScheme}:`)) return { kind: 'link', text: last }
  return isBundleFile(last) ? { kind: 'file', path: last } : undefined
}

export interface DeepLinkListener {
  /** From now on things go there, those that came before first. `show`: somebody started the app again, who wants to see it. */
  deliver(to: (thing: IncomingLink) => void, show: () => void): void
}

const mostEarly = 5

/** To be called before the app is ready. */
export function listenForDeepLinks(): DeepLinkListener {
  const early: IncomingLink[] = []
  let take = (thing: IncomingLink): void => {
    if (early.length < mostEarly) early.push(thing)
  }
  let show = (): void => undefined
  app.on('second-instance', (_event, argv) => {
    show()
    const thing = deepLinksInArguments(argv.slice(1))
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
    deliver(to, onSecond) {
      take = to
      show = onSecond
      for (const thing of early.splice(0)) to(thing)
    },
  }
}
