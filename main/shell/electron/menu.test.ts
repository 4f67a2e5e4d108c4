import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import type { ShellCommand } from '#app/contract/channels.ts'
import { menuTemplate } from './menu.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

const flatten = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])])

describe.each(['darwin', 'win32', 'linux'] as const)('the menu on %s', (os) => {
  const ran: ShellCommand[] = []
  const did: string[] = []
  const options: Parameters<typeof menuTemplate>[0] = {
    os,
    run: (command) => ran.push(command),
    openWindow: () => did.push('window'),
    size: (by) => did.push(`size ${by}`),
    openDataFolder: () => undefined,
  }
  const items = flatten(menuTemplate(options, {}))

  test('says what our commands are, and none of them answers a request', () => {
    const nobody = [] as unknown as Parameters<NonNullable<MenuItemConstructorOptions['click']>>
    for (const item of items.filter(({ accelerator }) => accelerator !== undefined)) item.click?.(...nobody)
    expect(new Set(did)).toEqual(new Set(['window', 'size -1', 'size 0', 'size 1']))
    expect(new Set(ran.map((command) => (command.kind === 'go' ? command.hash : command.kind)))).toEqual(
      new Set(['#/chat', '#/settings', 'commands']),
    )
  })

  test('has the roles that people expect, and can quit', () => {
    const roles = items.map(({ role }) => role)
    expect(roles).toEqual(expect.arrayContaining(['undo', 'paste', 'selectAll', 'minimize', 'help', 'quit', 'about']))
  })

  test('has a label of ours for each role: Electron’s are English', () => {
    expect(items.filter(({ role, label, type }) => type !== 'separator' && role !== undefined && !label)).toEqual([])
  })

  test('shows the keys that the person set, and none where there are none', () => {
    const changed = flatten(
      menuTemplate(options, { newChat: { key: 'ArrowUp', mod: true, alt: true }, commands: null, zoomIn: { key: '+', alt: true } }),
    )
    const keysOf = (label: string) => changed.filter((item) => item.label === label).map(({ accelerator }) => accelerator)
    expect([keysOf('New chat'), keysOf('Commands'), keysOf('Larger text')]).toEqual([['CmdOrCtrl+Alt+Up'], [undefined], ['Alt+Plus']])
  })

  test('installs the command of terminals, where there is one to install', () => {
    const toggled: string[] = []
    const pathCommand = { label: () => 'Install it', toggle: async () => void toggled.push('it') }
    const item = flatten(menuTemplate({ ...options, pathCommand }, {})).find(({ label }) => label === 'Install it')
    item?.click?.(...([] as unknown as Parameters<NonNullable<typeof item.click>>))
    expect([toggled, items.some(({ label }) => label === 'Install it')]).toEqual([['it'], false])
  })

  test('gives each key to one command', () => {
    const keys = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]))
    expect(new Set(keys).size).toBe(keys.length)
  })
})
