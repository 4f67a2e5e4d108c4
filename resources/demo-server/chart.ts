// A bar chart of what each vendor was owed, as an SVG that needs no style sheet and no font of its own.
import type { VendorTotal } from './report.ts'

const colour = { paper: '#fdfdfc', text: '#1a1b1e', bar: '#2345b5', track: '#e6e6e2' } as const
const width = 720
const row = 34
const margin = 20
const bars = { start: 220, end: 600 } as const
const longestLabel = 28

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '')
const shortened = (text: string): string => {
  const letters = [...text]
  return letters.length > longestLabel ? `${letters.slice(0, longestLabel - 1).join('')}…` : text
}

export function drawChart(totals: readonly VendorTotal[]): string {
  const height = margin * 2 + Math.max(1, totals.length) * row
  const largest = Math.max(1, ...totals.map(({ total }) => total))
  const length = bars.end - bars.start
  const rows = totals.map(({ vendor, total }, index) => {
    const top = margin + index * row
    const bar = (fill: string, wide: number): string =>
      `<rect x="${bars.start}" y="${top}" width="${wide}" height="${row - 10}" rx="3" fill="${fill}"/>`
    const text = (x: number, anchor: 'end' | 'start', words: string): string =>
      `<text x="${x}" y="${top + 17}" text-anchor="${anchor}">${escaped(words)}</text>`
    return [
      text(bars.start - 12, 'end', shortened(vendor)),
      bar(colour.track, length),
      bar(colour.bar, Math.max(2, Math.round((length * Math.max(0, total)) / largest))),
      text(bars.end + 14, 'start', total.toFixed(2)),
    ].join('')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colour.paper}"/>`,
    `<g fill="${colour.text}" font-family="system-ui, sans-serif" font-size="13">${rows.join('')}</g></svg>`,
  ].join('')
}
