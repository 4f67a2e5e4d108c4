import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '#app/settings.ts'

describe('the looks', () => {
  afterEach(() => {
    localStorage.clear()
    vi.resetModules()
  })
  const { dataset, style } = document.documentElement
  const shown = () => ({
    ...dataset,
    size: style.fontSize,
    font: style.getPropertyValue('--code-font'),
    side: style.getPropertyValue('--sidebar'),
  })

  it('are on the page before it is connected, as they were', async () => {
    const { applyAppearance } = await import('./appearance.ts')
    const settings = {
      ...defaultSettings,
      theme: 'dark',
      textSize: 150,
      density: 'compact',
      accent: 'teal',
      codeFont: 'Fira Code',
    } as const
    applyAppearance({ ...settings, sidebarWidth: 320 })
    const before = shown()
    for (const name of Object.keys(dataset)) delete dataset[name]
    style.cssText = ''
    vi.resetModules()
    await import('./appearance.ts')
    expect(shown()).toEqual(before)
    expect(before).toMatchObject({
      ...{ theme: 'dark', density: 'compact', accent: 'teal' },
      ...{ size: '150%', font: '"Fira Code"', side: '20rem' },
    })
  })

  it.each([
    ['Macintosh; Intel Mac OS X 10_15_7', true, 'inset'],
    ['Macintosh; Intel Mac OS X 10_15_7', false, undefined],
    ['Windows NT 10.0; Win64; x64', true, undefined],
  ])('make room for the buttons of a window without a title bar: %s, in the app: %s', async (system, inApp, expected) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system}) Chrome/146.0.0.0`)
    if (inApp) vi.stubGlobal('assent', {})
    delete dataset['titleBar']
    await import('./appearance.ts')
    expect(dataset['titleBar']).toBe(expected)
    delete dataset['titleBar']
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('are the usual ones where something else is kept', async () => {
    localStorage.setItem('assent.appearance', '{"theme":')
    const { applyAppearance } = await import('./appearance.ts')
    applyAppearance(defaultSettings)
    expect([dataset['theme'], dataset['accent'], style.fontSize]).toEqual([undefined, undefined, '100%'])
  })
})
