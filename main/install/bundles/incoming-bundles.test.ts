import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { iconFile } from '#app/server/bundle/bundle-icon.ts'
import { localeFile, withLocale } from '#app/server/bundle/bundle-labels.ts'
import { type BundleManifest, readManifest } from '#app/server/bundle/manifest.ts'
import { makeManifest, makePng, makeZip, type ZipFile } from './bundles.testing.ts'
import { bundleFactsOf, concernsAbout } from './bundles.ts'
import { readDisplay } from './incoming-bundles.ts'
import { readArchive } from './zip-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'assent-display-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function manifest(more: JsonObject = {}): BundleManifest {
  const found = readManifest(JSON.stringify(makeManifest(more)))
  if (found.kind !== 'read') throw new Error(JSON.stringify(found.problems))
  return found.manifest
}

async function looksOf(of: BundleManifest, files: readonly ZipFile[], locale = 'de-AT') {
  const path = join(folder, 'a.mcpb')
  const bytes = makeZip([{ name: 'server/index.mjs', text: '' }, ...files])
  writeFileSync(path, bytes)
  const file = await open(path)
  try {
    const archive = await readArchive(file, bytes.length)
    const { display, refused } = await readDisplay(archive, of, locale)
    const concerns = concernsAbout({ manifest: of, archive, display, refused }, 'linux', ['notes'])
    return { facts: bundleFactsOf(of, display), concerns: concerns.filter(({ kind }) => kind !== 'look-alike') }
  } finally {
    await file.close()
  }
}
const json = (value: JsonObject): string => JSON.stringify(value)

describe('the words of a bundle', () => {
  const place = (locale: string): string => `mcpb-resources/${locale}.json`
  test.each<[string, string, readonly string[], JsonObject, string | undefined]>([
    ['the same', 'de-AT', ['de', 'de-AT'], {}, 'de-AT'],
    ['the language in general', 'de-AT', ['de-CH', 'de'], {}, 'de'],
    ['any of the language, always the same', 'es-UY', ['es-MX', 'es-ES'], {}, 'es-ES'],
    ['the manifest’s own, where those are of the language', 'en-GB', ['en-AU', 'de'], {}, undefined],
    ['the manifest’s own of another language', 'de-AT', ['de-CH'], { default_locale: 'de-DE' }, undefined],
    ['none of another language', 'fr', ['de', 'es'], {}, undefined],
    ['none that is no locale', 'de', ['de/../../de', 'de_x'], {}, undefined],
  ])('are %s', (_, locale, there, localization, wanted) => {
    expect(localeFile(manifest({ localization }), there.map(place), locale)).toBe(wanted && place(wanted))
  })

  test('stand where the manifest says, and nowhere outside of the bundle', () => {
    const at = (resources: string): string | undefined =>
      localeFile(manifest({ localization: { resources } }), ['i18n/de.json', 'words.de/x.json'], 'de')
    expect([at(`./i18n/\${locale}.json`), at(`i18n\\\${locale}.json`), at(`words.\${locale}/x.json`)]).toEqual([
      'i18n/de.json',
      'i18n/de.json',
      'words.de/x.json',
    ])
    expect([at(`../../i18n/\${locale}.json`), at(`/etc/\${locale}`), at('i18n/de.json')]).toEqual([undefined, undefined, undefined])
  })

  test('take the place of what people read, and of nothing that is compared or run', async () => {
    const own = manifest({ tools: [{ name: 'add', description: 'Adds' }, { name: 'list' }] })
    const words = {
      ...{ name: 'evil', version: '9', author: { name: 'Other' }, server: { type: 'binary' } },
      display_name: 'Notizen',
      description: 'Führt Notizen.',
      tools: [
        { name: 'add', description: 'Fügt hinzu' },
        { name: 'more', description: 'Gibt es nicht' },
      ],
    }
    const { facts, concerns } = await looksOf(own, [{ name: place('de'), text: json(words) }])
    expect([facts, concerns]).toMatchObject([
      {
        ...{
          name: 'notes',
          version: '1.0.0',
          author: { name: 'Maya' },
          type: 'node',
          displayName: 'Notizen',
          description: 'Führt Notizen.',
        },
        tools: [
          { name: 'add', description: 'Fügt hinzu' },
          { name: 'list', description: '' },
        ],
      },
      [],
    ])
    expect(withLocale(own, undefined)).toBe(own)
  })

  test('that cannot be read, or are too many, are left out and named; hidden characters in them are named too', async () => {
    const refused = [{ kind: 'words-refused', file: place('de') }]
    expect((await looksOf(manifest(), [{ name: place('de'), text: '{ "display_name": ' }])).concerns).toEqual(refused)
    expect((await looksOf(manifest(), [{ name: place('de'), text: json({ description: 'x'.repeat(300_000) }) }])).concerns).toEqual(refused)
    const hidden = await looksOf(manifest(), [{ name: place('de'), text: json({ display_name: 'Notizen\u202e' }) }])
    expect(hidden.concerns).toEqual([{ kind: 'hidden-characters', field: 'display_name' }])
    const wrong = await looksOf(manifest(), [{ name: place('de'), text: json({ display_name: ['x'], description: 'Gut' }) }])
    expect([wrong.facts.displayName, wrong.facts.description, wrong.concerns]).toEqual(['notes', 'Gut', []])
  })
})

describe('the icon of a bundle', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['the one that there is', { icon: './icon.png' }, 'icon.png'],
    [
      'the smallest that is large enough',
      {
        icons: [
          { src: '16.png', size: '16x16' },
          { src: '512.png', size: '512x512' },
          { src: '128.png', size: '128x128' },
        ],
      },
      '128.png',
    ],
    [
      'one for any theme rather than for one',
      {
        icons: [
          { src: 'dark.png', size: '128x128', theme: 'dark' },
          { src: 'any.png', size: '64x64' },
        ],
      },
      'any.png',
    ],
    ['none at an address', { icon: 'https://a.example/i.png' }, undefined],
    ['none on the disk', { icon: 'file:///etc/passwd' }, undefined],
    ['none of a shape that nobody knows', { icon: 7, icons: ['x'] } as unknown as JsonObject, undefined],
  ])('is %s', (_, more, wanted) => {
    expect(iconFile(manifest(more))).toBe(wanted)
  })

  const withIcon = (bytes: Uint8Array, icon = 'icon.png') => looksOf(manifest({ icon }), [{ name: 'icon.png', bytes }])

  test('comes as data, as it is in the bundle', async () => {
    const png = makePng(64)
    const { facts, concerns } = await withIcon(png)
    expect([facts.icon, concerns]).toEqual([`data:image/png;base64,${png.toString('base64')}`, []])
  })

  test.each<[string, Uint8Array]>([
    ['a document', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    [
      'a page with the first bytes of a picture',
      Buffer.concat([makePng(8).subarray(0, 8), Buffer.from('<script>alert(1)</script>'.repeat(3))]),
    ],
    ['a picture that is drawn very large', makePng(4096)],
    ['one that is very large', Buffer.concat([makePng(64), Buffer.alloc(300 * 1024, 'x')])],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is left out, and named', async (_, bytes) => {
    const { facts, concerns } = await withIcon(bytes)
    expect([facts.icon, concerns]).toEqual([undefined, [{ kind: 'icon-refused', file: 'icon.png' }]])
  })

  test('is of the bundle, or there is none', async () => {
    for (const icon of ['../../icon.png', '/icon.png', 'gone.png']) expect((await withIcon(makePng(8), icon)).facts.icon).toBe(undefined)
  })
})
