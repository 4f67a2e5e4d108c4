import { describe, expect, test, vi } from 'vitest'
import { parseWindowState, placeWindow, type WindowState } from './window.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

const screen = { x: 0, y: 0, width: 1920, height: 1040 }
const second = { x: 1920, y: 0, width: 1280, height: 1000 }
const state = (change: Partial<WindowState> = {}): WindowState => ({ x: 100, y: 80, width: 1000, height: 700, maximized: false, ...change })

test.each([
  ['', undefined],
  ['{', undefined],
  ['null', undefined],
  ['[]', undefined],
  ['{"x":1,"y":1,"width":"wide","height":1,"maximized":false}', undefined],
  ['{"x":1e99,"y":1,"width":900,"height":700,"maximized":false}', undefined],
  ['{"x":1,"y":1,"width":-5,"height":700,"maximized":false}', undefined],
  ['{"x":1,"y":2,"width":900,"height":700,"maximized":true,"more":1}', { x: 1, y: 2, width: 900, height: 700, maximized: true }],
])('%s is read as %j', (text, expected) => {
  expect(parseWindowState(text)).toEqual(expected)
})

describe('a window opens', () => {
  test.each<[string, WindowState | undefined, (typeof screen)[], object]>([
    ['at its usual size at first', undefined, [screen], { width: 1280, height: 800 }],
    ['where it was', state(), [screen], { x: 100, y: 80, width: 1000, height: 700 }],
    ['where it was, on the second screen', state({ x: 2000 }), [screen, second], { x: 2000, y: 80, width: 1000, height: 700 }],
    ['in the middle when its screen is gone', state({ x: 2000 }), [screen], { width: 1000, height: 700 }],
    ['in the middle when its title bar would be above the screen', state({ y: -300 }), [screen], { width: 1000, height: 700 }],
    ['in the middle when it would be below the screen', state({ y: 1030 }), [screen], { width: 1000, height: 700 }],
    ['no larger than the screen', state({ x: 0, y: 0, width: 5000, height: 5000 }), [screen], { x: 0, y: 0, width: 1920, height: 1040 }],
    ['no smaller than it can be used', state({ width: 150, height: 50 }), [screen], { x: 100, y: 80, width: 420, height: 480 }],
    ['although no screen is known', state(), [], { width: 1000, height: 700 }],
  ])('%s', (_, saved, screens, expected) => {
    expect(placeWindow(saved, screens)).toEqual(expected)
  })
})
