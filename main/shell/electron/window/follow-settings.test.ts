import { beforeEach, expect, test, vi } from 'vitest'
import type { HostEvent } from '#app/contract/events.ts'
import { defaultSettings } from '#app/settings.ts'
import { resetElectron, session } from '../../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { type ContextParams, contextMenu } from './context-menu.ts'
import { dictionariesOf, followSpelling } from './follow-settings.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))
beforeEach(resetElectron)

function follow(os: NodeJS.Platform) {
  const listeners: ((event: HostEvent) => void)[] = []
  const host = {
    snapshot: () => ({ settings: defaultSettings }),
    onEvent: (listener: (event: HostEvent) => void) => {
      listeners.push(listener)
      return () => undefined
    },
  }
  const isOn = followSpelling(host, session.defaultSession.asReal(), os)
  const set = (spelling: boolean): void => {
    const event = { name: 'settings.changed', revision: 1, payload: { settings: { ...defaultSettings, spelling } } } as const
    for (const listener of listeners) listener(event)
  }
  return { isOn, set }
}

test('off the Mac no dictionary is asked for until the person says so, and none once they say no again', () => {
  const { isOn, set } = follow('linux')
  const seen = [isOn()]
  set(true)
  seen.push(isOn())
  set(false)
  seen.push(isOn())
  expect(seen).toEqual([false, true, false])
  expect(callsOf('session.setSpellCheckerLanguages')).toEqual([[[]], [['en-GB', 'de']], [[]]])
  expect(callsOf('session.setSpellCheckerEnabled')).toEqual([[false], [true], [false]])
})

test('on a Mac the system checks, whatever the settings say', () => {
  expect(follow('darwin').isOn()).toBe(true)
  expect([...callsOf('session.setSpellCheckerLanguages'), ...callsOf('session.setSpellCheckerEnabled')]).toEqual([])
})

test('a dictionary is that of the region, else of the language, else of any region of it', () => {
  expect(dictionariesOf(['de-AT', 'pt-PT', 'pt-BR', 'xx', 'en'], ['de', 'en-GB', 'en-US', 'pt-BR'])).toEqual(['de', 'pt-BR', 'en-GB'])
})

const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true } as ContextParams['editFlags']
const typed = { isEditable: true, misspelledWord: '', dictionarySuggestions: [], selectionText: '', editFlags }

test('a misspelled word is replaced by a suggestion, or learned', () => {
  const done: string[] = []
  const menu = contextMenu(
    { ...typed, misspelledWord: 'teh', dictionarySuggestions: ['the', 'R&D'] },
    { replace: (word) => done.push(`replace ${word}`), learn: (word) => done.push(`learn ${word}`) },
  )
  for (const { click } of menu) click?.(undefined as never, undefined, undefined as never)
  expect(done).toEqual(['replace the', 'replace R&D', 'learn teh'])
  expect(menu[1]?.label).toBe('R&&D')
})

test('text that cannot be written has nothing but a copy of what is selected', () => {
  const actions = { replace: () => undefined, learn: () => undefined }
  const roles = (params: ContextParams) => contextMenu(params, actions).flatMap(({ role }) => (role ? [role] : []))
  expect([roles({ ...typed, isEditable: false }), roles({ ...typed, isEditable: false, selectionText: 'x' }), roles(typed)]).toEqual([
    [],
    ['copy'],
    ['cut', 'copy', 'paste', 'selectAll'],
  ])
})
