// What a server offers is looked at before anything is allowed: schemas that are traps for whoever draws a form of them, and
// resources that would run, fetch or lead away when they are previewed. In a real browser, over the real page.
import type { Page } from '@playwright/test'
import type { JsonObject } from '#app/json.ts'
import { result } from '../../servers/http/raw-http.ts'
import { type Attack, once, same, unless } from '../attack.ts'
import { inBrowser, type Lure, onPage, openLure } from '../page.ts'
import { type Part, tool } from '../puppet.ts'
import { onStage, type Stage, until } from '../stage.ts'

interface Resource {
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
  /** As what a server of pages would send it: there it does what it is made for. */
  readonly runsAs?: string
  /** Its own address. */
  readonly uri?: string
}

interface Looking {
  readonly stage: Stage
  readonly page: Page
  readonly lure: Lure
  go(hash: string): Promise<void>
}

/** The page of what the hostile server offers; after `play` nothing must have come of it. */
async function looking(
  part: (lure: string) => Part,
  lured: (path: string) => string | undefined,
  play: (looking: Looking) => Promise<readonly string[]>,
) {
  const lure = await openLure(lured)
  try {
    return await onStage(
      () => ({ hostile: part(lure.url) }),
      async (stage) => {
        stage.setPerson(once)
        return onPage(stage, async ({ page, elsewhere, go }) => {
          const dialogs: string[] = []
          page.on('dialog', (dialog) => {
            dialogs.push(dialog.message())
            void dialog.dismiss()
          })
          const wrong = await play({ stage, page, lure, go })
          const run = await page.evaluate<string>(`String(globalThis.owned ?? ({}).polluted ?? '')`)
          return [
            ...wrong,
            ...same('ran in the page', run, ''),
            ...same('dialogs', dialogs, []),
            ...same('fetched', [...lure.heard], []),
            ...same('elsewhere', elsewhere, []),
            ...unless(!Object.hasOwn(Object.prototype, 'polluted'), 'the host’s prototype was changed'),
          ]
        })
      },
    )
  } finally {
    await lure.close()
  }
}

const schemaAttack = (name: string, inputSchema: (lure: string) => JsonObject, more: JsonObject = {}): Attack => ({
  family: 'schemas',
  name,
  long: true,
  run: () =>
    looking(
      (lure) => ({
        tools: () => [
          tool('trap', { inputSchema: { type: 'object', ...inputSchema(lure) }, ...more }),
          tool('plain', { inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } }),
        ],
      }),
      () => undefined,
      async ({ stage, page, go }) => {
        await go('#/library/tools/hostile/trap')
        const pane = page.getByRole('region', { name: /^trap/ })
        await pane.waitFor()
        // Whoever types is where the expressions run.
        const fields = pane.getByRole('textbox')
        if ((await fields.count()) > 0) await fields.first().fill(`${'a'.repeat(40)}!`)
        const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`)
        await go('#/library/tools/hostile/plain')
        await page
          .getByRole('region', { name: /^plain/ })
          .getByRole('textbox')
          .first()
          .fill('said')
        await page
          .getByRole('region', { name: /^plain/ })
          .getByRole('button', { name: /^Run/ })
          .click()
        await until('the call', () => stage.effects.length > 0)
        return [
          ...unless(elements < 30_000, `the page has ${elements} elements`),
          ...same('control: happened', stage.effects, ['ran hostile plain {"word":"said"}']),
        ]
      },
    ),
})

const nested = (levels: number): JsonObject => {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { in: schema }, required: ['in'] }
  return schema
}
const many = (count: number, schema: (at: number) => JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema(at)]))
const markup = (lure: string): string =>
  `<img src="${lure}markup" onerror="globalThis.owned='markup'"><script>globalThis.owned='script'</script>`

export const schemas: readonly Attack[] = [
  schemaAttack('a schema that refers to itself is drawn once', () => ({
    properties: { a: { $ref: '#' } },
    required: ['a'],
  })),
  schemaAttack('references that go round in circles end', () => ({
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    properties: { a: { $ref: '#/$defs/a' } },
    required: ['a'],
  })),
  schemaAttack('references that double each time end', () => ({
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `l${at}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/l${at + 1}` }, b: { $ref: `#/$defs/l${at + 1}` } }, required: ['a', 'b'] },
      ]),
    ),
    properties: { a: { $ref: '#/$defs/l0' } },
    required: ['a'],
  })),
  schemaAttack('choices of choices of choices end', () => {
    let one: JsonObject = { type: 'string' }
    for (let level = 0; level < 6; level += 1) one = { anyOf: [one, { allOf: [one] }], oneOf: [one, one] }
    return { properties: { a: one } }
  }),
  schemaAttack('five hundred objects in each other are no tower', () => nested(500)),
  schemaAttack('references into the network are not followed', (lure) => ({
    $schema: `${lure}schema`,
    $id: `${lure}id`,
    properties: { a: { $ref: `${lure}ref.json` }, b: { $dynamicRef: `${lure}dynamic` } },
    required: ['a'],
  })),
  schemaAttack('expressions that take for ever do not', () => ({
    properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '(x+x+)+y' } },
    patternProperties: { '^(a|a)*$': { type: 'string' } },
    required: ['a'],
  })),
  schemaAttack('a choice of a hundred thousand is no page of that length', () => ({
    properties: { a: { type: 'string', enum: Array.from({ length: 100_000 }, (_, at) => `choice ${at}`) } },
    required: ['a'],
  })),
  schemaAttack('ten thousand arguments are no page of that length', () => ({
    properties: many(10_000, (at) => ({ type: 'string', title: `Argument ${at}` })),
    required: Array.from({ length: 10_000 }, (_, at) => `p${at}`),
  })),
  schemaAttack('names of the prototype are names', () => ({
    properties: JSON.parse(
      '{"__proto__":{"type":"string","default":"x"},"constructor":{"type":"object","properties":{"prototype":{"type":"object","properties":{"polluted":{"const":"yes","default":"yes"}},"required":["polluted"]}},"required":["prototype"]},"toString":{"type":"string"}}',
    ) as JsonObject,
    required: ['__proto__', 'constructor', 'toString'],
  })),
  schemaAttack(
    'words of a schema are words',
    (lure) => ({
      title: markup(lure),
      description: `![p](${lure}picture) [l](javascript:globalThis.owned='link')`,
      properties: {
        [markup(lure)]: { type: 'string', title: `\u202e${markup(lure)}`, description: markup(lure), default: markup(lure) },
        b: { enum: [markup(lure)], examples: [markup(lure)] },
      },
    }),
    { title: '\u202etrap', description: '\u{e0041}\u200b' },
  ),
  schemaAttack('a default of five million letters is no field of that length', () => ({
    properties: { a: { type: 'string', default: 'x'.repeat(5_000_000) } },
    required: ['a'],
  })),
  schemaAttack('a list that wants a million entries is not filled in', () => ({
    properties: { a: { type: 'array', items: { type: 'string' }, minItems: 1_000_000 } },
    required: ['a'],
  })),
  schemaAttack('a schema of the wrong kinds is no error of the page', () => ({
    properties: JSON.parse(
      '{"a":true,"b":{"type":7,"enum":"x","items":3,"required":{},"pattern":[],"oneOf":{}},"c":null,"d":[]}',
    ) as JsonObject,
    required: 5,
    allOf: 'x',
  })),
]

/** A picture of sixty thousand by sixty thousand, and no more of it than that. */
const pngHead = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('0000ea600000ea600806000000', 'hex'),
  Buffer.alloc(64, 1),
])
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const page = (lure: string): string =>
  `<!doctype html><img src="${lure}picture" onerror="top.owned=1"><link rel="stylesheet" href="${lure}style"><iframe src="${lure}frame"></iframe><meta http-equiv="refresh" content="0;url=${lure}refresh"><script>top.owned = 'script'; fetch('${lure}fetch')</script>`
const svg = (lure: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="top.owned='svg'; fetch('${lure}onload')"><image href="${lure}picture"/><script>fetch('${lure}script')</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${lure}frame"/></foreignObject><style>@import '${lure}style'</style></svg>`
const pdf = (lure: string): string => {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1); app.launchURL('${lure}js'); this.submitForm('${lure}form')) >> /AA << /WC << /S /URI /URI (${lure}close) >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 300 300] /A << /S /URI /URI (${lure}link) >> >> << /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (${lure}launch) >> >>] /AA << /O << /S /GoToR /F (${lure}remote.pdf) >> >> >>`,
    '<< /Length 43 >>\nstream\nBT /F 18 Tf 20 200 Td (Written here) Tj ET \nendstream',
    `<< /Type /Font /Subtype /TrueType /BaseFont /Mine /FontDescriptor << /Type /FontDescriptor /FontName /Mine /FontFile2 << /Type /Filespec /FS /URL /F (${lure}font) >> >> >>`,
  ]
  let text = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`
}

/** Nothing is still being read or drawn, and the page has had time for what came of it. */
async function settled(tab: Page): Promise<void> {
  await tab.locator('.content-view .spin').waitFor({ state: 'detached' })
  await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => requestIdleCallback(done))))')
}

const preview = (name: string, make: (lure: string) => Resource, seen: RegExp | string = /./): Attack => ({
  family: 'previews',
  name,
  long: true,
  async run() {
    const uri = (lure: string): string => make(lure).uri ?? 'file:///hostile'
    return looking(
      (lure) => ({
        hello: { capabilities: { tools: {}, resources: {} } },
        tools: () => [],
        own(message, wire) {
          const { uri: _uri, runsAs: _runsAs, ...content } = make(lure)
          if (message.method === 'resources/list') wire.send(result(message, { resources: [{ uri: uri(lure), name: 'hostile' }] }))
          else if (message.method === 'resources/templates/list') wire.send(result(message, { resourceTemplates: [] }))
          else if (message.method === 'resources/read') wire.send(result(message, { contents: [{ uri: uri(lure), ...content }] }))
          else return false
          return true
        },
      }),
      () => undefined,
      async ({ page: tab, lure, go }) => {
        await go(`#/library/resources/hostile/${encodeURIComponent(uri(lure.url))}`)
        const shown = tab.locator('.content-view')
        await shown.first().waitFor()
        if (seen === 'drawn') await shown.locator('canvas, img, audio').first().waitFor()
        await settled(tab)
        const words = await shown.first().innerText()
        const drawn = (await shown.locator('canvas, img, audio').count()) > 0
        const elements = await tab.evaluate<number>(`document.querySelectorAll('*').length`)
        return [
          ...unless(tab.url().includes('#/library/resources/'), `the page has gone to ${tab.url()}`),
          ...unless(elements < 30_000, `the page has ${elements} elements`),
          ...unless(new RegExp(seen).test(words) || (seen === 'drawn' && drawn), `control: it is not shown: ${words.slice(0, 200)}`),
        ]
      },
    )
  },
})

/** Drawn by a browser as a page of its own, it does fetch. */
const live = (name: string, make: (lure: string) => string): Attack => ({
  family: 'previews',
  name: `${name}, as a page of its own, would fetch (control of the others)`,
  long: true,
  async run() {
    const lure = await openLure((path) => (path === 'page' ? make(lure.url) : undefined))
    try {
      return await inBrowser(async (context) => {
        await (await context.newPage()).goto(`${lure.url}page`)
        await until('a request', () => lure.heard.size > 0)
        return []
      })
    } finally {
      await lure.close()
    }
  },
})

export const previews: readonly Attack[] = [
  live('an SVG', (lure) => `<!doctype html>${svg(lure)}`),
  live('a page', page),
  preview('an SVG runs and fetches nothing', (lure) => ({ mimeType: 'image/svg+xml', text: svg(lure) }), 'svg'),
  preview('an SVG in bytes runs and fetches nothing', (lure) => ({ mimeType: 'image/svg+xml', blob: base64(svg(lure)) }), /svg|73 76 67/),
  preview('an SVG that is called a PNG is none', (lure) => ({ mimeType: 'image/png', blob: base64(svg(lure)) }), /no picture|svg/),
  preview('a page is read as text', (lure) => ({ mimeType: 'text/html', text: page(lure) }), 'script'),
  preview('a page in bytes is not drawn', (lure) => ({ mimeType: 'text/html', blob: base64(page(lure)) }), /script|68 74 6d 6c/i),
  preview('a page that is called a PDF is none', (lure) => ({ mimeType: 'application/pdf', blob: base64(page(lure)) })),
  preview('a page that is called a sound is none', (lure) => ({ mimeType: 'audio/mpeg', blob: base64(page(lure)) })),
  preview(
    'Markdown fetches no picture and runs no markup',
    (lure) => ({
      mimeType: 'text/markdown',
      text: `# Words\n![p](${lure}p.png) [l](javascript:globalThis.owned='link') <img src="${lure}q" onerror="globalThis.owned=1">\n\n${page(lure)}\n\n![d](data:image/svg+xml;base64,${base64(svg(lure))})\n\n\`\`\`mermaid\ngraph TD; A[<img src="${lure}m">] --> B\nclick A "${lure}click"\n\`\`\`\n\n$$\\href{${lure}math}{x} \\includegraphics{${lure}tex}$$`,
    }),
    'Words',
  ),
  preview('a PDF runs, opens and fetches nothing', (lure) => ({ mimeType: 'application/pdf', blob: base64(pdf(lure)) }), 'drawn'),
  preview('a broken PDF is said to be one', () => ({
    mimeType: 'application/pdf',
    blob: base64('%PDF-1.7\n1 0 obj << /Type /Catalog >>'),
  })),
  preview('a picture of gigantic size is not drawn so', () => ({ mimeType: 'image/png', blob: base64(pngHead) }), /Save/),
  preview(
    'a sound with a broken head is silent',
    () => ({
      mimeType: 'audio/wav',
      blob: base64(Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4, 255), Buffer.from('WAVEfmt '), Buffer.alloc(64, 255)])),
    }),
    'drawn',
  ),
  preview('a million rows are no page of that length', () => ({
    mimeType: 'text/csv',
    text: `a,b\n${'<b>1</b>,"2"\n'.repeat(1_000_000)}`,
  })),
  preview('a hundred thousand lists in each other are no tower', () => ({
    mimeType: 'application/json',
    text: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  })),
  preview(
    'a resource that is a script is read, and not run',
    () => ({ uri: `javascript:globalThis.owned='uri'`, text: 'Only words' }),
    'Only words',
  ),
  preview(
    'a resource that is a page in its own address is not opened',
    (lure) => ({ uri: `data:text/html,${page(lure)}`, text: 'Only words' }),
    'Only words',
  ),
  preview(
    'a resource that is a file is what the server says of it',
    () => ({ uri: 'file:///etc/passwd', text: 'Only words' }),
    'Only words',
  ),
  preview('a resource in the network is not fetched', (lure) => ({ uri: `${lure}there`, text: 'Only words' }), 'Only words'),
]
