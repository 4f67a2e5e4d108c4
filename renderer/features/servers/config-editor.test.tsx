import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { type Answers, createFakeLink, type FakeLink } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const path = '/profile/servers.json'
const file = (text: string, problems: { file: string; line: number; message: string; remedy: string }[] = []) => ({ path, text, problems })
const open = (answers: Answers): FakeLink => {
  const link = createFakeLink({ answers })
  renderAt(link, '#/servers//config')
  return link
}
const area = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'servers.json' })
const type = async (text: string): Promise<void> => {
  fireEvent.change(await area(), { target: { value: text } })
}
const save = () => screen.getByRole('button', { name: 'Save' })
const wrongLines = (): (string | null)[] => [...document.querySelectorAll('.gutter .wrong')].map((one) => one.textContent)

describe('servers.json as text', () => {
  it('marks what the host found at its line, and goes there', async () => {
    open({ 'config.get': () => file('{\n  "a": 1\n}', [{ file: path, line: 2, message: 'No command.', remedy: 'Add one.' }]) })
    await area()
    expect(wrongLines()).toEqual(['2'])
    fireEvent.click(screen.getByRole('button', { name: /No command/ }))
    expect((await area()).selectionStart).toBe(2)
  })

  it('does not save what is no JSON', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{\n "a" 1 }')
    expect(wrongLines()).toEqual(['2'])
    fireEvent.click(save())
    expect(link.paramsOf('config.save')).toEqual([])
  })

  it('saves by key, and shows the problems that come back', async () => {
    let text = '{}'
    const link = open({
      'config.get': () => file(text),
      'config.save': (params) => {
        text = params.text
        return { problems: [{ file: path, line: 1, message: 'Empty.', remedy: '' }] }
      },
    })
    await type('{ "mcpServers": {} }')
    const mac = { key: 's', metaKey: true }
    const other = { key: 's', ctrlKey: true }
    fireEvent.keyDown(await area(), mac)
    fireEvent.keyDown(await area(), other)
    await waitFor(() => expect(wrongLines()).toEqual(['1']))
    expect(link.paramsOf('config.save')).toEqual([{ text: '{ "mcpServers": {} }' }])
  })

  it('keeps the text and says why when the file cannot be written', async () => {
    open({
      'config.get': () => file('{}'),
      'config.save': () => {
        throw new HostError('disk.full', 'The disk is full.')
      },
    })
    await type('{ }')
    fireEvent.click(save())
    await screen.findByText('The disk is full.')
    expect((await area()).value).toBe('{ }')
  })

  it('follows the file while nothing was typed', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await area()
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    link.tell('config.changed', {})
    await waitFor(async () => expect((await area()).value).toBe('{ "theirs": 1 }'))
  })

  it('looks again when the host is back, for it was not heard meanwhile', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await area()
    link.setStatus('closed')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    link.setStatus('open')
    await waitFor(async () => expect((await area()).value).toBe('{ "theirs": 1 }'))
  })

  it('sees a change from outside that came during a save', async () => {
    let text = '{}'
    const link = open({
      'config.get': () => file(text),
      'config.save': () => {
        text = '{ "theirs": 1 }'
        link.tell('config.changed', {})
        return { problems: [] }
      },
    })
    await type('{ "mine": 1 }')
    fireEvent.click(save())
    await waitFor(async () => expect((await area()).value).toBe('{ "theirs": 1 }'))
  })

  it('does not save over a change from outside before the person has decided', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }'), 'config.save': () => ({ problems: [] }) })
    fireEvent.click(save())
    await screen.findByRole('button', { name: 'Load the file' })
    expect(link.paramsOf('config.save')).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Keep my text' }))
    fireEvent.click(save())
    await waitFor(() => expect(link.paramsOf('config.save')).toEqual([{ text: '{ "mine": 1 }' }]))
  })

  it('is not put back by a look at the file that began before the save', async () => {
    let answerLate: (late: ReturnType<typeof file>) => void = () => {}
    const link = open({ 'config.get': () => file('{}'), 'config.save': () => ({ problems: [] }) })
    await type('{ "mine": 1 }')
    let looks = 0
    link.answer({ 'config.get': () => (looks++ === 0 ? new Promise((resolve) => (answerLate = resolve)) : file('{}')) })
    fireEvent.focus(window)
    fireEvent.click(save())
    await waitFor(() => expect(link.paramsOf('config.save').length).toBe(1))
    await waitFor(() => expect(save().getAttribute('aria-disabled')).toBe('true'))
    answerLate(file('{}'))
    await Promise.resolve()
    await Promise.resolve()
    expect((await area()).value).toBe('{ "mine": 1 }')
  })

  it('loads the change from outside on request', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    fireEvent.focus(window)
    fireEvent.click(await screen.findByRole('button', { name: 'Load the file' }))
    expect((await area()).value).toBe('{ "theirs": 1 }')
  })

  it('asks before unsaved text is left', async () => {
    open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Revert' }))
    await waitFor(async () => expect((await area()).value).toBe('{}'))
    const later = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(later)
    expect(later.defaultPrevented).toBe(false)
  })

  it('offers to read the file again when it cannot be read', async () => {
    const link = open({
      'config.get': () => {
        throw new HostError('config.unreadable', 'The file cannot be read.')
      },
    })
    await screen.findByText('The file cannot be read.')
    link.answer({ 'config.get': () => file('{ "back": 1 }') })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect((await area()).value).toBe('{ "back": 1 }')
  })
})
