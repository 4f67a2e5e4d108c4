import { undo } from '@codemirror/commands'
import { forEachDiagnostic } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const path = '/profile/servers.json'
const file = (text: string, problems: { file: string; line: number; message: string; remedy: string }[] = []) => ({ path, text, problems })
const open = (answers: FakeAnswers): FakeConnection => {
  const link = createFakeConnection({ answers })
  renderAt(link, '#/servers//config')
  return link
}
const slow = { timeout: 10_000 }
/** The editor lives in a shadow root, where no query of the page looks. */
const view = (): Promise<EditorView> =>
  waitFor(() => {
    const content = document.querySelector('.editor')?.shadowRoot?.querySelector<HTMLElement>('.cm-content')
    const found = content && EditorView.findFromDOM(content)
    if (!found) throw new Error('there is no editor yet')
    return found
  }, slow)
const textNow = async (): Promise<string> => (await view()).state.doc.toString()
const type = async (text: string): Promise<void> => {
  const editor = await view()
  act(() => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } }))
}
const save = () => screen.getByRole('button', { name: 'Save' })
const wrongLines = async (): Promise<number[]> => {
  const { state } = await view()
  const lines: number[] = []
  forEachDiagnostic(state, (_one, from) => lines.push(state.doc.lineAt(from).number))
  return lines
}

// Its chunk is fetched when it is first shown, which is not what is looked at here.
beforeAll(() => import('./code-editor/code-editor.tsx'))

describe('servers.json as text', () => {
  it('marks what the host found at its line, and goes there', async () => {
    open({ 'config.get': () => file('{\n  "a": 1\n}', [{ file: path, line: 2, message: 'No command.', remedy: 'Add one.' }]) })
    await view()
    expect(await wrongLines()).toEqual([2])
    fireEvent.click(screen.getByRole('button', { name: /No command/ }))
    expect((await view()).state.selection.main.anchor).toBe(2)
  })

  it('does not save what is no JSON', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{\n "a" 1 }')
    expect(await wrongLines()).toEqual([2])
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
    fireEvent.keyDown((await view()).contentDOM, mac)
    fireEvent.keyDown((await view()).contentDOM, other)
    await waitFor(async () => expect(await wrongLines()).toEqual([1]))
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
    expect(await textNow()).toBe('{ }')
  })

  it('follows the file while nothing was typed', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await view()
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    link.tell('config.changed', {})
    await waitFor(async () => expect(await textNow()).toBe('{ "theirs": 1 }'))
  })

  it('looks again when the host is back, for it was not heard meanwhile', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await view()
    link.setStatus('closed')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    link.setStatus('open')
    await waitFor(async () => expect(await textNow()).toBe('{ "theirs": 1 }'))
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
    await waitFor(async () => expect(await textNow()).toBe('{ "theirs": 1 }'))
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
    expect(await textNow()).toBe('{ "mine": 1 }')
  })

  it('loads the change from outside on request', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    fireEvent.focus(window)
    fireEvent.click(await screen.findByRole('button', { name: 'Load the file' }))
    expect(await textNow()).toBe('{ "theirs": 1 }')
  })

  it('says while it is typed what the host would say of it', async () => {
    open({ 'config.get': () => file('{}') })
    await type('{\n "mcpServers": {\n  "a": { "command": "x", "start": "later" }\n }\n}')
    await screen.findByRole('button', { name: /“start” is string/ })
    expect(await wrongLines()).toEqual([3])
    // It is JSON, and it is theirs: it can be saved.
    expect(save().getAttribute('aria-disabled')).toBe('false')
  })

  it('keeps both texts: what was loaded from outside can be undone', async () => {
    const link = open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    link.answer({ 'config.get': () => file('{ "theirs": 1 }') })
    fireEvent.focus(window)
    fireEvent.click(await screen.findByRole('button', { name: 'Load the file' }))
    await waitFor(async () => expect(await textNow()).toBe('{ "theirs": 1 }'))
    const editor = await view()
    act(() => void undo(editor))
    expect(await textNow()).toBe('{ "mine": 1 }')
    expect(save().getAttribute('aria-disabled')).toBe('false')
  })

  it('formats without a loss: comments and unknown keys stay', async () => {
    open({ 'config.get': () => file('{// mine\n"theirs":1,"mcpServers":{}}') })
    await view()
    fireEvent.click(screen.getByRole('button', { name: 'Format' }))
    await waitFor(async () => expect(await textNow()).toBe('{ // mine\n  "theirs": 1,\n  "mcpServers": {}\n}'))
  })

  it('asks before unsaved text is left', async () => {
    open({ 'config.get': () => file('{}') })
    await type('{ "mine": 1 }')
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Revert' }))
    await waitFor(async () => expect(await textNow()).toBe('{}'))
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
    expect(await textNow()).toBe('{ "back": 1 }')
  })
})
