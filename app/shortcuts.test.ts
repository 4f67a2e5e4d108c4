import { describe, expect, it } from 'vitest'
import { settings } from './settings.ts'
import { type Chord, chordsFor, conflictOf, isPermitted, type ShortcutId, shortcutIds, shortcuts, takenBy } from './shortcuts.ts'

const usual = chordsFor({}, false)

describe('shortcuts', () => {
  it.each([false, true])('have no two of one place with the same keys, and none that is taken (browser: %s)', (web) => {
    const chords = chordsFor({}, web)
    const clashes = shortcutIds.filter((id) => shortcuts[id].rule !== 'consent' && chords[id] && conflictOf(id, chords[id], chords))
    const taken = (['mac', 'windows', 'linux'] as const).flatMap((os) =>
      shortcutIds.filter((id) => chords[id] && takenBy(id, chords[id], { os, web })),
    )
    expect([clashes, taken]).toEqual([[], []])
  })

  it('are the person’s where they set some, and none where they want none', () => {
    const { search, library, newChat } = chordsFor({ search: { key: 'p', mod: true }, library: null, gone: null }, true)
    expect([search, library, newChat]).toEqual([{ key: 'p', mod: true }, null, { key: 'n', mod: true, alt: true }])
  })

  it.each<[ShortcutId, Chord, boolean]>([
    ['allow', { key: 'a' }, false],
    ['allow', { key: 'F8' }, false],
    ['allow', { key: 'Enter', shift: true }, false],
    ['allowHere', { key: ' ' }, false],
    ['run', { key: 'Enter' }, false],
    ['allow', { key: 'a', alt: true }, true],
    ['deny', { key: 'd' }, true],
    ['search', { key: 'f' }, false],
    ['search', { key: 'F', shift: true }, false],
    ['search', { key: 'F3' }, true],
    ['send', { key: 'Enter', mod: true }, true],
    ['send', { key: 'Enter', alt: true }, false],
    ['send', { key: 's', mod: true }, false],
    ['newLine', { key: 'Enter', mod: true }, false],
  ])('of %s may be %j: %s, in the settings of the host too', (id, chord, permitted) => {
    expect(isPermitted(id, chord)).toBe(permitted)
    expect(settings.partial().safeParse({ shortcuts: { [id]: chord } }).success).toBe(permitted)
  })

  it.each<[string, ShortcutId, Chord, ShortcutId | undefined]>([
    ['of another that works everywhere', 'library', { key: 'k', mod: true }, 'commands'],
    ['of a request, for what works everywhere', 'library', { key: 'Backspace', mod: true }, 'deny'],
    ['that allow, for a message', 'send', { key: 'Enter', mod: true }, 'allow'],
    ['not of another place', 'save', { key: 'e' }, undefined],
    ['not its own', 'commands', { key: 'K', mod: true }, undefined],
  ])('know keys %s', (_name, id, chord, expected) => {
    expect(conflictOf(id, chord, usual)).toBe(expected)
  })

  it.each<[ShortcutId, Chord, Parameters<typeof takenBy>[2], ReturnType<typeof takenBy>]>([
    ['library', { key: 't', mod: true }, { os: 'linux', web: true }, 'shell'],
    ['library', { key: 't', mod: true }, { os: 'linux', web: false }, undefined],
    ['library', { key: 'r', mod: true }, { os: 'linux', web: false }, 'shell'],
    ['library', { key: ' ', mod: true }, { os: 'mac', web: true }, 'system'],
    ['library', { key: 'F4', alt: true }, { os: 'windows', web: true }, 'system'],
    ['library', { key: 'c', mod: true }, { os: 'windows', web: true }, 'text'],
    ['library', { key: 'ArrowLeft', alt: true }, { os: 'mac', web: true }, 'text'],
    ['library', { key: 'e', alt: true }, { os: 'mac', web: true }, 'text'],
    ['library', { key: 'e', alt: true }, { os: 'linux', web: true }, undefined],
    ['allow', { key: 'z', mod: true }, { os: 'linux', web: true }, 'text'],
    ['deny', { key: 'Backspace', mod: true }, { os: 'linux', web: true }, undefined],
  ])('say who has the keys of %s: %j in %j', (id, chord, at, expected) => {
    expect(takenBy(id, chord, at)).toBe(expected)
  })
})
