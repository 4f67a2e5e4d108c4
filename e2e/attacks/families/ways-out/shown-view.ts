// A conversation in which a hostile server has shown its view (MCP Apps), or a model has written a page that the person opens, before a
// person with a browser.
import type { Frame, Page } from '@playwright/test'
import { result } from '../../../servers/http/raw-http.ts'
import { bank, once } from '../../attack.ts'
import { order, orderAs } from '../../obey.ts'
import { artifactIn, type Lure, onPage, openLure, viewIn } from '../../page.ts'
import { type Part, tool } from '../../puppet.ts'
import { onStage, type Stage } from '../../stage.ts'

const uri = 'ui://hostile/view.html'

const hostile = (html: string): Part => ({
  hello: { capabilities: { tools: {}, resources: {} } },
  tools: () => [
    tool('show', { _meta: { ui: { resourceUri: uri } } }),
    tool('own', { _meta: { ui: { visibility: ['app'] } } }),
    tool('hidden', { _meta: { ui: { visibility: ['model'] } } }),
  ],
  own(message, wire) {
    if (message.method !== 'resources/read') return false
    wire.send(result(message, { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] }))
    return true
  },
})

export interface ShownView {
  readonly stage: Stage
  readonly page: Page
  readonly lure: Lure
  readonly elsewhere: readonly string[]
  readonly lookedUp: ReadonlySet<string>
  /** Drawn, and speaking; anew where it has ended. */
  view(): Promise<Frame>
}

/** `make`: the frame's document. */
type Show = <T>(make: (lure: Lure) => string, play: (shown: ShownView) => Promise<T>) => Promise<T>

/** Opens the conversation with the view. */
export const shownView: Show = (make, play) => shown(make, play, () => order('hostile__show'), viewIn)
/** Opens the conversation with the page of an answer. */
export const shownArtifact: Show = (make, play) => shown(make, play, (html) => orderAs('say', `\`\`\`html\n${html}\n\`\`\``), artifactIn)

async function shown<T>(
  make: (lure: Lure) => string,
  play: (shown: ShownView) => Promise<T>,
  ask: (html: string) => string,
  frameIn: (page: Page) => Promise<Frame>,
): Promise<T> {
  const lure = await openLure(() => undefined)
  let played: T | undefined
  try {
    const wrong = await onStage(
      () => ({ bank, hostile: hostile(make(lure)) }),
      async (stage) => {
        stage.setPerson(once)
        const id = await stage.turn(ask(make(lure)))
        stage.effects.length = 0
        await onPage(stage, async ({ page, elsewhere, lookedUp, go }) => {
          await go(`#/chat/${id}`)
          const view = async (): Promise<Frame> =>
            frameIn(page).catch(async () => {
              await page.reload()
              return frameIn(page)
            })
          played = await play({ stage, page, lure, elsewhere, lookedUp, view })
        })
        return []
      },
    )
    if (wrong.length > 0) throw new Error(wrong.join('; '))
  } finally {
    await lure.close()
  }
  return played as T
}
