// Draws resources/icons/*.png from icon.svg in Chromium. Run by hand when the mark changes; the pictures are committed.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from './browser.ts'

const folder = resolve(import.meta.dirname, '../resources/icons')
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8')
const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>html,body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  await page.screenshot({ path: join(folder, `${size}x${size}.png`), omitBackground: true })
  await page.close()
}
await browser.close()
