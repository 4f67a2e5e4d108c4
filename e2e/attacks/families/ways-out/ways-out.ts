// Ways out of an MCP App's view, and of the page of an answer, which lives in the same frame: each is tried in the document, in a shadow tree and in a copy of one, and as its control in a document
// without any policy, framed or else a page of its own, where it leads out. What leads nowhere in such a document either is no row
// (`without-control.ts`). Ways past Trusted Types: w3c/trusted-types issues 358, 359, 360 and 380, shhnjk/cursed_types; WebRTC past a
// policy: w3c/webrtc-pc issue 1727.
import { setTimeout } from 'node:timers/promises'
import type { BrowserContext } from '@playwright/test'
import { type Attack, unless } from '../../attack.ts'
import { type FurtherWays, inBrowser, type Lure, openLure, packetWays, viewFile, within } from '../../page.ts'
import { leavingMarkup, markupWays } from './markup-ways.ts'
import { leavingScripts, scriptWays } from './script-ways.ts'
import { shownArtifact, shownView } from './shown-view.ts'
import { styleWays } from './style-ways.ts'
import { hasNoControl } from './without-control.ts'

/** Ways of the document itself (servers/views/reaching.html). Chromium loads no font of a shadow tree's own rule. */
const scripted = `top-location top-replace parent-open window-open window-open-blank location-self javascript-link import icon css-adopted css-font
  font-face audio request fetch-alive worker module-worker shared-worker worker-script worklet fetch-later service-worker navigation-api
  meta-refresh rtc-turn web-socket dns-fetch dns-font`
const added = `top-link top-form link-blank link-ping link-download link-self download-blob area-ping form-self formaction data-location preload
  prefetch modulepreload import-map css-import css-picture css-cursor css-mask css-content css-sheet svg svg-use svg-filter svg-script picture
  track source script embed object input poster background frame-address frame-later frame-written frame-blank frame-blank-picture
  frame-stored frame-sandboxed worker-in-a-script fetch-in-a-script fetch-in-a-handler dns-picture`

const further: FurtherWays = {
  markup: { ...markupWays, ...styleWays, ...leavingMarkup },
  scripts: { ...scriptWays, ...leavingScripts },
}
const everywhere = (names: readonly string[]): string[] => names.flatMap((name) => [name, `${name}-in-shadow`, `${name}-in-copy`])
const namesOf = (...tables: readonly object[]): string[] => everywhere(tables.flatMap(Object.keys)).filter((name) => !hasNoControl(name))

/** Many of these share a document. */
const together = namesOf(markupWays, styleWays, scriptWays)
/** Each of these has the document to itself. */
const alone = [...scripted.split(/\s+/), ...everywhere(added.split(/\s+/)), ...packetWays, ...namesOf(leavingMarkup, leavingScripts)]
const togetherAtOnce = 40
const inChunks = (names: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, at) => names.slice(at * size, (at + 1) * size))

/** What was heard and looked up, by the names of ways. */
type Out = readonly ReadonlySet<string>[]
const got = (out: Out, name: string): boolean => out.some((heard) => heard.has(name))

interface TriedWays {
  readonly inView: Out
  readonly inArtifact: Out
  readonly inControl: Out
}

/** Fails where the frame's policy had little to stop: then nothing was tried. */
const tryIn = (show: typeof shownView): Promise<Out> =>
  show(
    (lure) => viewFile('reaching.html', lure, further),
    async ({ page, lure, lookedUp, view }) => {
      const one = async (name: string): Promise<void> => {
        const frame = await view()
        await within(frame, 'run', name)
        // A frame that left or was ended has nobody to answer.
        const ms = /^(?:rtc|web-t|dns)/.test(name) ? 600 : 100
        await within(frame, 'rest', ms).catch(() => page.reload())
      }
      let blocked = 0
      for (const names of inChunks(together, togetherAtOnce)) {
        const frame = await view()
        const stopped = await within(frame, 'runAll', names)
          .then(() => within(frame, 'rest', 1500))
          .then(() => within<number>(frame, 'blocked'))
          .catch(() => undefined)
        blocked += stopped ?? 0
        if (stopped !== undefined) continue
        // One of them has ended the view, so that the others were not tried.
        await page.reload()
        for (const name of names) await one(name)
      }
      if (blocked < together.length / 4) throw new Error(`control: the policy had only ${blocked} addresses to stop`)
      for (const name of alone) await one(name)
      return [lure.heard, lookedUp]
    },
  )

async function tryInControl(): Promise<Out> {
  const control: Lure = await openLure((path) => {
    const [kind, names = ''] = path.split('?control=')
    if (kind === 'framed') return `<iframe src="/frame?control=${names}"></iframe>`
    return kind === 'frame' ? viewFile('reaching.html', control, further) : undefined
  })
  try {
    const out: ReadonlySet<string>[] = [control.heard]
    // A busy machine may hear nothing at first.
    for (const [kind, wait] of [
      ['framed', 1],
      ['frame', 1],
      ['framed', 4],
      ['frame', 4],
    ] as const) {
      const left = (names: readonly string[]): string[] => names.filter((name) => !got(out, name))
      if (left([...together, ...alone]).length === 0) break
      const lookedUp = await inBrowser(async (context, lookedUp) => {
        const open = (few: readonly string[]): Promise<void> =>
          openControl(context, control, kind, few, wait * (few.length > 1 ? 2500 : 1000))
        await atOnce(inChunks(left(together), togetherAtOnce), open)
        await atOnce(inChunks(left([...together.filter((name) => !looksUp(name)), ...alone]), 1), open)
        return lookedUp
      })
      out.push(lookedUp)
    }
    return out
  } finally {
    await control.close()
  }
}

/** Ways of which a look-up is all that there is. */
const looksUp = (name: string): boolean => {
  const way = name.replace(/-in-(?:shadow|copy)$/, '')
  return (further.markup[way] ?? further.scripts[way] ?? '').includes('{host}')
}

async function atOnce<T>(all: readonly T[], each: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const lane = async (): Promise<void> => {
    for (const one of rest) await each(one)
  }
  await Promise.all(Array.from({ length: 4 }, lane))
}

/** Opens a page for these ways, until something was heard of all of them or would have been. */
async function openControl(context: BrowserContext, control: Lure, kind: string, names: readonly string[], waitMs: number): Promise<void> {
  const opened = await context.newPage()
  await opened.goto(`${control.url}${kind}?control=${encodeURIComponent(names.join('|'))}`).catch(() => undefined)
  const end = performance.now() + waitMs
  while (performance.now() < end && !names.every((name) => control.heard.has(name))) await setTimeout(20)
  await opened.close()
}

let tried: Promise<TriedWays> | undefined
/** All ways at once, since each takes a browser a moment. */
async function tryWays(): Promise<TriedWays> {
  const [inView, inArtifact, inControl] = await Promise.all([tryIn(shownView), tryIn(shownArtifact), tryInControl()])
  return { inView, inArtifact, inControl }
}

const frames = { 'a view': 'inView', 'a page of an answer': 'inArtifact' } as const

export const waysOut: readonly Attack[] = [...alone, ...together].flatMap((name) =>
  Object.entries(frames).map(([frame, where]) => ({
    family: 'views',
    name: `${frame} does not get out by ${name}`,
    long: true,
    async run() {
      tried ??= tryWays()
      const { [where]: out, inControl } = await tried
      return [...unless(!got(out, name), 'it did'), ...unless(got(inControl, name), 'control: nor does a page without a policy')]
    },
  })),
)
