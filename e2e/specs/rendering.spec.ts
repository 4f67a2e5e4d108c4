// What an answer is made of, in a real browser: code in colours, and diagrams in frames of their own, which no source can
// make reach the page, the network or another address.
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { originOf } from '../fixtures/shells.ts'
import { pickModel, send, turnEnds } from '../fixtures/steps.ts'
import { setTrap, type Trap } from '../fixtures/trap.ts'

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const answer = [
  '# A plan',
  'It costs $5 and $6, so $x = \\frac{5 + 6}{2}$ each[^1], and\n\n$$\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n$$',
  '- [x] read\n- [ ] sort\n\nשלום, this is read from the right.\n\n[^1]: On the *average*.',
  fence('ts', 'const total: number = invoices.reduce((sum, { amount }) => sum + amount, 0) // of all'),
  '## Steps',
  fence('mermaid', 'flowchart LR\n  A[Read the inbox] --> B{Anything new?}\n  B -->|yes| C[Summarise]\n  B -->|no| D[Stop]'),
].join('\n\n')

const hostileDiagrams = (lure: string): readonly string[] => [
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(${lure}import); * { background: url(${lure}css) }"}}%%\nflowchart LR\n  A["<img src='${lure}img' onerror='parent.document.title=1'>"] --> B["<script>fetch('${lure}script')</script>"]\n  click A href "${lure}click" _top\n  click B call alert(1)\n  style A fill:url(${lure}fill)\n  C@{ img: "${lure}node.png", label: "picture", w: 60, h: 60 } --> A`,
  `---\nconfig:\n  securityLevel: loose\n  themeVariables:\n    primaryColor: "red;}*{background:url(${lure}var)}"\n---\nsequenceDiagram\n  participant A\n  link A: Site @ ${lure}link\n  A->>A: <iframe src="${lure}frame"></iframe><style>@import '${lure}style'</style>`,
]

let trap: Trap
test.beforeEach(async () => {
  trap = await setTrap()
})
test.afterEach(() => trap.close())

test('an answer shows code in colours, and draws diagrams in frames that reach nothing', async ({ app, model }) => {
  const { page } = app
  const { lure, reached } = trap
  const outside: string[] = []
  const origin = originOf(page)
  // A request that the policy stops is seen as one that failed; what counts is what was answered, and what the trap saw.
  page.on('response', (response) => {
    if (!response.url().startsWith(origin) && !/^(?:app|blob):|^data:image\//.test(response.url())) outside.push(response.url())
  })
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(origin)) outside.push(frame.url())
  })
  const diagrams = hostileDiagrams(lure)
  model.setRules([
    { when: 'plan', steps: [{ say: answer }] },
    {
      when: 'attack',
      steps: [{ say: [...diagrams, `flowchart LR\n${'A --> B\n'.repeat(8000)}`].map((text) => fence('mermaid', text)).join('\n\n') }],
    },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'plan')
  await turnEnds(page)
  await expect(page.locator('.hl-word').first()).toHaveText('const')
  await expect(page.locator('.math math')).toHaveCount(2)
  await expect(page.locator('.footnotes')).toContainText('On the average.')
  await expect(page.getByText('It costs $5 and $6')).toBeVisible()
  await expect(page.frameLocator('.diagram iframe').getByText('Summarise')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  const diagram = page.frameLocator('.diagram iframe')
  await expect(diagram.locator('html')).toHaveCSS('color-scheme', 'dark')
  const shape = diagram.locator('svg .node > :is(rect, polygon, path)').first()
  await expect(shape).toHaveCSS('filter', 'none')
  await expect(shape).toHaveCSS('stroke', /^rgb/)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('.prose .md-2')).toHaveCSS('margin-top', '20px')
  await axeFindsNothing(page)

  await send(page, 'attack')
  await turnEnds(page)
  // Each is drawn or given up on; the one that is too large is not begun.
  await expect(page.getByText('too large to draw')).toBeVisible()
  const boxes = page.locator('.diagram-box')
  for (let index = 0; index < diagrams.length; index++) {
    const box = boxes.nth(index + 1)
    await box.scrollIntoViewIfNeeded()
    await expect(box.locator('.diagram:not(.aside), .help')).toBeVisible()
  }
  const frames = page.frames().slice(1)
  const held = await Promise.all(
    frames.map((frame) => frame.evaluate('[self.origin, document.querySelectorAll("a[href], a[*|href]").length]')),
  )
  expect(held).toEqual(frames.map(() => ['null', 0]))
  expect({ outside, reached, title: await page.title() }).toEqual({ outside: [], reached: [], title: expect.not.stringMatching(/^1$/) })

  // Control: the trap works, and the frame's policy is what stops a script of ours in it, too.
  const tried = await frames[0]?.evaluate(`(async () => {
    const climb = () => { try { return parent.document.title } catch { return 'refused' } }
    return [await fetch(${JSON.stringify(`${lure}control`)}).then(() => 'fetched', () => 'refused'), climb()]
  })()`)
  expect({ tried, reached }).toEqual({ tried: ['refused', 'refused'], reached: [] })
  await fetch(`${lure}control`)
  expect(reached).toEqual(['/control'])
})

test('what copies and wraps long code is at hand wherever one is in it, also without a language', async ({ app, model }) => {
  const { page } = app
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n')
  model.setRules([{ when: 'code', steps: [{ say: ['Before.', fence('', lines), fence('ts', lines), 'After.'].join('\n\n') }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'code')
  await turnEnds(page)
  for (const block of await page.locator('figure.code').all()) {
    const copy = block.getByRole('button', { name: 'Copy code' })
    await block.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect()
      element.closest('.transcript, .scroll')?.scrollBy(0, bottom - 400)
    })
    await expect(block.getByText('line 119')).toBeInViewport()
    await expect(copy).toBeInViewport({ ratio: 1 })
    const [box, code] = await Promise.all([copy.boundingBox(), block.locator('pre').boundingBox()])
    expect((box?.y ?? 0) - (code?.y ?? 0)).toBeGreaterThan(500)
  }
})
