// The page's looks by the settings, set on its root; the sheets do the rest. They are kept in the browser's storage too, since a page that
// is loaded again paints before the host tells them. Imported before the first paint.
import { defaultSettings, type Settings } from '#app/settings.ts'

/** The browser's system, by its own words. */
export const guessedOs = /Mac/.test(navigator.userAgent) ? 'mac' : /Windows/.test(navigator.userAgent) ? 'windows' : 'linux'

const names = ['theme', 'textSize', 'density', 'codeFont', 'accent', 'sidebarWidth'] as const
type Appearance = Pick<Settings, (typeof names)[number]>

const root = document.documentElement
function readBrowserSize(): number {
  const { fontSize } = getComputedStyle(root)
  return fontSize.endsWith('px') ? (Number.parseFloat(fontSize) / Number.parseFloat(root.style.fontSize || '100')) * 100 : 16
}

/** Size of the root's font by the browser's own settings, in CSS pixels. Read late: it has the page laid out. */
let browserSize: number | undefined

/** CSS pixels in place of one at the usual text size: what scripts place by the pixel goes by it, as sheets do by rem. */
export function textScale(textSize: number): number {
  browserSize ??= readBrowserSize()
  return ((browserSize / 16) * textSize) / 100
}
const kept = 'assent.appearance'
/** Whether pages of another program may have this origin: whoever had the port before. Then nothing is kept, and nothing is believed. */
const isShared = location.hostname === '127.0.0.1'

/** Marks the root with a setting unless it is the usual one. */
function mark(name: string, value: string, usual: string): void {
  if (value === usual) delete root.dataset[name]
  else root.dataset[name] = value
}

/** Sets a width of the sidebar in CSS pixels at the usual text size. */
export const setSidebarWidth = (width: number): void => root.style.setProperty('--sidebar', `${width / 16}rem`)

function apply({ theme, textSize, density, codeFont, accent, sidebarWidth }: Appearance): void {
  mark('theme', theme, 'system')
  mark('density', density, 'comfortable')
  mark('accent', accent, 'blue')
  // Of the size that the person set in the browser.
  root.style.fontSize = `${textSize}%`
  if (codeFont === '') root.style.removeProperty('--code-font')
  else root.style.setProperty('--code-font', JSON.stringify(codeFont))
  setSidebarWidth(sidebarWidth)
}

/** Follows the host's settings, and keeps them for the next load. */
export function applyAppearance(settings: Settings): void {
  apply(settings)
  if (isShared) return
  try {
    localStorage.setItem(kept, JSON.stringify(Object.fromEntries(names.map((name) => [name, settings[name]]))))
  } catch {
    // The browser stores nothing: the next load paints the usual looks first.
  }
}

root.dataset['os'] = guessedOs
// The bridge of Electron's preload: there the page fills the window (`main/shell/electron/window/window.ts`).
if (guessedOs === 'mac' && 'assent' in globalThis) root.dataset['titleBar'] = 'inset'
try {
  const text = isShared ? null : localStorage.getItem(kept)
  if (text !== null) apply({ ...defaultSettings, ...(JSON.parse(text) as Partial<Appearance>) })
} catch {
  // Nothing is kept, or not ours.
}
