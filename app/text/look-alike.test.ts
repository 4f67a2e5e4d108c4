import { expect, it } from 'vitest'
import { alikeAmong, lookAlikes } from './look-alike.ts'

it.each([
  ['github', 'g1thub'],
  ['github', 'GitHub'],
  ['github', 'githυb'],
  ['files', 'fiІes'],
  ['my-server', 'my server'],
  ['calendar', 'cаlendar'],
  ['modern', 'modem'],
])('warns of %s beside %s', (one, other) => {
  expect(lookAlikes([one, other, 'notes'])).toEqual(
    new Map([
      [one, [other]],
      [other, [one]],
    ]),
  )
})

it('says nothing of names that differ plainly', () => {
  expect(lookAlikes(['files', 'files2', 'notes', 'github', 'gitlab']).size).toBe(0)
})

it('names those that one name could be taken for, not itself', () => {
  expect(alikeAmong('github', ['github', 'g1thub', 'gitlab', 'GitHub'])).toEqual(['g1thub', 'GitHub'])
})
