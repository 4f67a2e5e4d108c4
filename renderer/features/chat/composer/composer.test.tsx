import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Mention } from '#app/server/mentions.ts'
import { makeServer, makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { Composer, useSend } from './composer.tsx'

afterEach(cleanup)

const blob = { sha256: 'a'.repeat(64), bytes: 3, mimeType: 'text/plain' }
const notes = { id: 'a1', name: 'notes.txt', kind: 'text' as const, blob }
const resource: Mention = { kind: 'resource', server: 'demo', uri: 'invoice://1', name: 'one.txt' }
const prompt: Mention = { kind: 'prompt', server: 'demo', name: 'chase', arguments: [{ name: 'vendor', required: true }] }

function Page() {
  const send = useSend(undefined, undefined, 'practice/practice')
  return <Composer conversationId={undefined} activity={undefined} model="practice/practice" send={send} placeholder="Write" />
}

async function open(snapshot = {}) {
  const used = { server: 'demo', name: 'chase', arguments: {}, messages: [{ role: 'user' as const, text: 'Write a letter.' }] }
  const link = createFakeConnection({
    snapshot: makeSnapshot(snapshot),
    answers: {
      'mention.find': ({ kind }) => ({ offers: kind === 'prompt' ? [prompt] : [resource], found: 1, unknown: [] }),
      'mention.attach': () => ({ attachments: [notes] }),
      'mention.prompt': () => ({ prompt: used }),
      'server.complete': () => ({ values: ['Acme'] }),
      'chat.send': () => ({ conversationId: 'c1' }),
    },
  })
  const { stores } = await renderWith(<Page />, link)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const type = async (text: string): Promise<void> => {
    fireEvent.change(field, { target: { value: text } })
    await settle()
    await screen.findByRole('listbox')
  }
  return { link, stores, field, type }
}

const textFile = (name: string): File => new File(['all of it'], name, { type: 'text/plain' })
const paste = (field: HTMLElement, files: readonly File[]): boolean =>
  fireEvent.paste(field, { clipboardData: { files, items: [], types: ['Files'], getData: () => '' } })

describe('the composer', () => {
  test('what is attached stands in the draft, is sent with the message, and is then gone', async () => {
    const { link } = await open({ draftExtras: { '': { attachments: [notes] } } })
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await settle()
    expect(link.paramsOf('chat.send')).toEqual([{ text: '', model: 'practice/practice', attachments: [notes] }])
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull()
  })

  test('whose words the text holds is sent with it, also once a prompt was taken out', async () => {
    const prompt = { server: 'demo', name: 'chase', arguments: {}, messages: [] }
    const { link, field } = await open({ draftExtras: { '': { attachments: [], prompt, servers: ['views'] } } })
    fireEvent.click(screen.getByRole('button', { name: 'Remove chase' }))
    fireEvent.change(field, { target: { value: 'Count on' } })
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await settle()
    expect(link.paramsOf('chat.send')).toEqual([{ text: 'Count on', model: 'practice/practice', servers: ['views'] }])
  })

  test('Enter while a file is still being read sends the message as soon as all of it is attached', async () => {
    const { link, field } = await open()
    const read = Promise.withResolvers<void>()
    link.answer({ 'attachment.add': ({ name }) => read.promise.then(() => ({ attachment: { ...notes, id: name } })) })
    fireEvent.change(field, { target: { value: 'Read this' } })
    paste(field, [textFile('one.txt'), textFile('two.txt')])
    await screen.findAllByRole('button', { name: /^Cancel / })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(screen.getByRole('button', { name: 'Don’t send' })).toBeTruthy()
    expect(link.paramsOf('chat.send')).toEqual([])
    read.resolve()
    await waitFor(() =>
      expect(link.paramsOf('chat.send')).toMatchObject([{ text: 'Read this', attachments: [{ id: 'one.txt' }, { id: 'two.txt' }] }]),
    )
    expect(screen.queryByRole('button', { name: 'Don’t send' })).toBeNull()
  })

  test('a message that waits for a file stays when the file is not to be attached after all, or nobody wants it sent', async () => {
    const { link, field } = await open()
    for (const [name, leave] of [
      ['one.txt', 'Cancel one.txt'],
      ['two.txt', 'Don’t send'],
    ] as const) {
      const read = Promise.withResolvers<Record<string, never>>()
      link.answer({ 'attachment.part': () => read.promise })
      fireEvent.change(field, { target: { value: 'Read this' } })
      paste(field, [textFile(name)])
      await waitFor(() => expect(link.paramsOf('attachment.part').length).toBeGreaterThan(0))
      fireEvent.keyDown(field, { key: 'Enter' })
      fireEvent.click(screen.getByRole('button', { name: leave }))
      read.resolve({})
      await waitFor(() => expect(screen.queryByRole('button', { name: `Cancel ${name}` })).toBeNull())
      await settle()
      expect([link.paramsOf('chat.send'), field.value]).toEqual([[], 'Read this'])
    }
  })

  test('@ names resources; Enter attaches the one that is meant, and the focus stays in the text', async () => {
    const { link, field, type } = await open()
    await type('Look at @on')
    expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id)
    fireEvent.keyDown(field, { key: 'Enter' })
    await settle()
    expect(link.paramsOf('mention.attach')).toMatchObject([{ server: 'demo', uri: 'invoice://1' }])
    expect([field.value, link.paramsOf('chat.send')]).toEqual(['Look at ', []])
    expect(await screen.findByRole('button', { name: 'Remove notes.txt' })).toBeTruthy()
  })

  test('Enter that comes before the list chooses from it once it is there, rather than send the half-typed name', async () => {
    const { link, field, type } = await open()
    await type('@')
    fireEvent.change(field, { target: { value: '@on' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(link.paramsOf('mention.attach')).toEqual([])
    await settle()
    expect(link.paramsOf('mention.attach')).toMatchObject([{ server: 'demo', uri: 'invoice://1' }])
    expect([field.value, link.paramsOf('chat.send')]).toEqual(['', []])
  })

  test('Enter sends what nothing fits, and what could not be looked for', async () => {
    const { link, field } = await open()
    for (const [found, text] of [
      [() => ({ offers: [], found: 0, unknown: [] }), '/etc'],
      [() => Promise.reject(new Error('lost')) as never, '/tmp'],
    ] as const) {
      link.answer({ 'mention.find': found })
      fireEvent.change(field, { target: { value: text } })
      await act(settle)
      fireEvent.keyDown(field, { key: 'Enter' })
      await act(settle)
    }
    expect(link.paramsOf('chat.send')).toMatchObject([{ text: '/etc' }, { text: '/tmp' }])
  })

  test('a server whose offers are not known has not run, or did not start', async () => {
    const failed = makeServer({
      name: 'broken',
      state: { kind: 'failed', at: 1, attempt: 1, error: { code: 'server.exited', message: 'x' } },
    })
    const { link, field } = await open({ servers: [failed, makeServer({ name: 'fresh' })] })
    link.answer({ 'mention.find': () => ({ offers: [resource], found: 1, unknown: ['broken', 'fresh'] }) })
    fireEvent.change(field, { target: { value: '@o' } })
    await screen.findByRole('listbox')
    const notes = [...document.querySelectorAll('.mention-note')].map(({ textContent }) => textContent)
    expect(notes).toEqual(['broken did not start.Try again', 'fresh has not run yet.Start'])
  })

  test('Escape closes the list, and the next Enter sends', async () => {
    const { link, field, type } = await open()
    await type('@on')
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(screen.queryByRole('listbox')).toBeNull()
    fireEvent.keyDown(field, { key: 'Enter' })
    await settle()
    expect(link.paramsOf('chat.send')).toMatchObject([{ text: '@on' }])
  })

  test('nothing is offered while an input method composes', async () => {
    const { link, field } = await open()
    fireEvent.compositionStart(field)
    fireEvent.change(field, { target: { value: '@' } })
    await settle()
    expect(link.paramsOf('mention.find')).toEqual([])
  })

  test('a prompt is filled in and read before it goes with the message', async () => {
    const { link, field, type } = await open()
    await type('/ch')
    fireEvent.keyDown(field, { key: 'Enter' })
    const vendor = await screen.findByRole<HTMLInputElement>('combobox', { name: /vendor/ })
    const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
    // Enter in a field submits the form that its button belongs to.
    expect(vendor.form).toBe(button('Preview').form)
    fireEvent.submit(vendor)
    expect(link.paramsOf('mention.prompt')).toEqual([])
    fireEvent.change(vendor, { target: { value: 'Acme' } })
    fireEvent.submit(vendor)
    await screen.findByText('Write a letter.')
    expect(vendor.form).toBe(button('Attach').form)
    expect(link.paramsOf('mention.prompt')).toMatchObject([{ server: 'demo', name: 'chase', arguments: { vendor: 'Acme' } }])
    expect(link.paramsOf('chat.send')).toEqual([])
    fireEvent.submit(vendor)
    await settle()
    // A chip over the field; what is written stays as it is.
    expect([field.value, screen.queryAllByRole('button', { name: /^Remove/, hidden: true }).length]).toEqual(['', 1])
    fireEvent.click(screen.getByRole('button', { name: 'Send', hidden: true }))
    await settle()
    expect(link.paramsOf('chat.send')).toMatchObject([{ text: '', prompt: { name: 'chase' } }])
  })
})
