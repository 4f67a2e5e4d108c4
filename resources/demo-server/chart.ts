// A bar chart of what each vendor was owed, as a PNG.
import { glyphHeight, glyphWidth, litPixels } from './glyphs.ts'
import { encodePng } from './png.ts'
import type { VendorTotal } from './report.ts'

const palette = [
  [253, 253, 252],
  [26, 27, 30],
  [35, 69, 181],
  [230, 230, 226],
] as const
const colour = { paper: 0, text: 1, bar: 2, track: 3 } as const
const scale = 2
const width = 720
const row = 34
const margin = 20
const barStart = 290
const barEnd = 580

export function drawChart(totals: readonly VendorTotal[]): Buffer {
  const height = margin * 2 + Math.max(1, totals.length) * row
  const pixels = new Uint8Array(width * height).fill(colour.paper)
  const fill = (x: number, y: number, w: number, h: number, index: number): void => {
    for (let line = y; line < y + h; line += 1) pixels.fill(index, line * width + x, line * width + Math.min(width, x + w))
  }
  const write = (text: string, x: number, y: number): void => {
    for (const [dx, dy] of litPixels(text)) {
      const at = x + dx * scale
      if (at + scale <= width) fill(at, y + dy * scale, scale, scale, colour.text)
    }
  }
  const largest = Math.max(1, ...totals.map(({ total }) => total))
  const longestLabel = Math.floor((barStart - margin) / (glyphWidth * scale)) - 1
  for (const [index, { vendor, total }] of totals.entries()) {
    const top = margin + index * row
    const textTop = top + Math.floor((row - 10 - glyphHeight * scale) / 2)
    write([...vendor].slice(0, longestLabel).join(''), margin, textTop)
    fill(barStart, top, barEnd - barStart, row - 10, colour.track)
    fill(barStart, top, Math.max(2, Math.round(((barEnd - barStart) * Math.max(0, total)) / largest)), row - 10, colour.bar)
    write(total.toFixed(2), barEnd + 14, textTop)
  }
  return encodePng({ width, height, pixels, palette })
}
