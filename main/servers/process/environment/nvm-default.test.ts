import { expect, it } from 'vitest'
import { nvmDefault } from './well-known-folders.ts'

const installed = ['v9.1.0', 'v18.20.4', 'v20.9.0', 'v20.19.1', 'v24.1.0', '.cache', 'io.js']

it.each([
  ['a number', { default: '20' }, 'v20.19.1'],
  ['a number and a minor', { default: '20.9' }, 'v20.9.0'],
  ['a whole version', { default: 'v18.20.4\n' }, 'v18.20.4'],
  ['a version that is not installed', { default: 'v22.0.0' }, 'v24.1.0'],
  ['node', { default: 'node' }, 'v24.1.0'],
  ['stable', { default: 'stable' }, 'v24.1.0'],
  ['the newest with long support', { default: 'lts/*', 'lts/*': 'lts/iron', 'lts/iron': 'v20.19.1' }, 'v20.19.1'],
  ['a name of the person’s own', { default: 'work', work: '18' }, 'v18.20.4'],
  ['the system’s own', { default: 'system' }, undefined],
  ['itself', { default: 'default' }, 'v24.1.0'],
  ['a name that leads nowhere', { default: 'gone' }, 'v24.1.0'],
  ['a name that leads out of the folder', { default: '../../x', '../../x': '9' }, 'v24.1.0'],
  ['nothing', {}, 'v24.1.0'],
])('for an alias of %s', (_, aliases: Readonly<Record<string, string>>, version) => {
  expect(nvmDefault(installed, (name) => aliases[name])).toBe(version)
})

it('finds none where none is installed', () => {
  expect(nvmDefault([], () => '20')).toBeUndefined()
})
