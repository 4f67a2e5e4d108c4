import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { RequestResult } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import type { LibraryListing, ShownContent } from '#app/server/library-listing.ts'
import type { ServerCapability } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeConversation, makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const hidden = '\u202e'
const running = (name: string, change: Partial<ServerSummary> = {}, offers: ServerCapability[] = []): ServerSummary => {
  const session = { era: 'legacy' as const, protocolVersion: '2025-06-18', foundBy: 'initialize' as const, offers }
  return makeServer({ name, session, state: { kind: 'ready', since: 1, session }, catalogueRevision: 1, ...change })
}
const listing = (change: Partial<LibraryListing> = {}): LibraryListing => ({
  templates: [],
  prompts: [],
  resources: 0,
  fetchedAt: 1,
  ...change,
})
const text = (words: string, change: Partial<ShownContent> = {}): ShownContent => ({
  uri: 'f://2026/notes.txt',
  text: words,
  blob: { sha256: words.padEnd(64, '0').slice(0, 64), bytes: words.length, mimeType: 'text/plain' },
  tokens: 70,
  ...change,
})
const read = (...contents: ShownContent[]): RequestResult<'library.read'> => ({ contents, left: 0 })
const listed = [
  { uri: 'f://2026/notes.txt', name: 'notes.txt' },
  { uri: `f://2026/${hidden}odd`, name: `o${hidden}dd` },
]
const listingOfFiles = listing({ resources: 2, templates: [{ uriTemplate: 'f://{year}/{name}', name: 'Any file' }] })

function open(hash: string, servers: readonly ServerSummary[], answers: FakeAnswers = {}): FakeConnection {
  const link = createFakeConnection({
    snapshot: { servers: [...servers], conversations: [makeConversation({ id: 'c1', title: 'Books' })] },
    answers: {
      'library.listing': () => listingOfFiles,
      'library.resources': () => ({ resources: listed, revision: 1 }),
      'library.resource': () => ({ resource: null }),
      'library.read': () => read(text('one\ntwo')),
      ...answers,
    },
  })
  renderAt(link, hash)
  return link
}
const row = (name: string | RegExp) => screen.findByRole('treeitem', { name })
const notes = '#/library/resources/files/f%3A%2F%2F2026%2Fnotes.txt'

describe('the resources section', () => {
  it('counts the resources of a server with their templates, as the page of the server does', async () => {
    open('#/library/resources', [running('files', { counts: { tools: 0, enabledTools: 0, resources: 3, prompts: 0 } })], {
      'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 0 }),
      'server.log': () => ({ lines: [], dropped: 0 }),
    })
    await waitFor(async () => expect((await row(/^files/)).querySelector('.aside')?.textContent).toBe('3'))
    window.location.hash = '#/servers/files/resources'
    expect((await screen.findByRole('tab', { name: /^Resources/ })).textContent).toBe('Resources 3')
  })

  it('lists what was last seen, and reads what is chosen', async () => {
    const link = open('#/library', [running('files'), makeServer({ name: 'ledger', state: { kind: 'stopped', reason: 'idle' } })])
    expect((await row(/^ledger/)).textContent).toContain('not running')
    fireEvent.click((await screen.findAllByRole('treeitem', { name: 'notes.txt' }))[0] ?? document.body)
    expect(window.location.hash).toBe(notes)
    expect(await screen.findByLabelText('Text')).toBeTruthy()
    expect(link.paramsOf('library.read')).toMatchObject([{ server: 'files', uri: 'f://2026/notes.txt' }])
    expect(screen.getByText(/About 70 tokens/)).toBeTruthy()
  })

  it('names what cannot be seen in what a server lists and says', async () => {
    open('#/library/resources/files/f%3A%2F%2F2026%2Fx', [running('files')], { 'library.read': () => read(text(`a${hidden}b`)) })
    await row(/^o.+dd$/)
    await screen.findByLabelText('Text')
    expect(document.querySelectorAll('.section-tree .reveal, .arg-long .reveal')).toHaveLength(2)
    expect(document.body.textContent).not.toContain(hidden)
  })

  it('arrow keys move without opening anything, and Enter opens', async () => {
    const link = open('#/library', [running('files')])
    await row('notes.txt')
    const tree = screen.getByRole('tree', { name: 'Resources' })
    fireEvent.keyDown(tree, { key: 'End' })
    fireEvent.keyDown(tree, { key: 'ArrowUp' })
    expect(link.paramsOf('library.read')).toEqual([])
    fireEvent.keyDown(tree, { key: 'Enter' })
    expect(window.location.hash).toBe(notes)
    fireEvent.keyDown(tree, { key: 'Home' })
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: 'notes.txt' })).toBeNull())
  })

  it('searches all servers by every word that is typed', async () => {
    open('#/library', [running('files'), running('other')], {
      'library.resources': ({ server }) => ({
        resources: server === 'files' ? listed : [{ uri: 'g://n', name: 'Other notes' }],
        revision: 1,
      }),
    })
    await row('Other notes')
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: 'NOTES other' } })
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: /^files/ })).toBeNull())
    expect(screen.getByRole('treeitem', { name: /^Other notes/ })).toBeTruthy()
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: 'nowhere' } })
    expect(await screen.findByText(/Nothing found/)).toBeTruthy()
  })

  it('starts no server by itself', async () => {
    const link = open(notes, [makeServer({ name: 'files', state: { kind: 'stopped', reason: 'idle' } })])
    fireEvent.click(await screen.findByRole('button', { name: 'Start' }))
    await screen.findByLabelText('Text')
    expect(link.paramsOf('library.read')).toHaveLength(1)
  })

  it('opens the address that a filled-in template makes, with the server’s suggestions', async () => {
    const link = open('#/library/resources/files/f%3A%2F%2F%7Byear%7D%2F%7Bname%7D', [running('files')], {
      'server.complete': () => ({ values: ['2026'] }),
    })
    const field = await screen.findByRole('combobox', { name: 'year' })
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: '2026' } })
    await waitFor(() => expect(link.paramsOf('server.complete').at(-1)?.query.argument).toEqual({ name: 'year', value: '2026' }))
    fireEvent.change(screen.getByRole('combobox', { name: 'name' }), { target: { value: 'a b' } })
    fireEvent.click(screen.getByRole('button', { name: 'Read' }))
    expect(window.location.hash).toBe(`#/library/resources/files/${encodeURIComponent('f://2026/a%20b')}`)
  })
})

describe('a resource that is followed', () => {
  const offers: ServerCapability[] = ['resource-subscriptions']
  const uri = 'f://2026/notes.txt'

  it('is read again when the server tells of a change, and what changed can be seen', async () => {
    const link = open(notes, [running('files', { subscriptions: [uri] }, offers)])
    await screen.findByText(/live/)
    expect((await row(/^notes.txt/)).textContent).toContain('live')
    await screen.findByLabelText('Text')
    link.answer({ 'library.read': () => read(text('one\nthree')) })
    link.tell('server.resourceUpdated', { name: 'files', uri })
    fireEvent.click(await screen.findByRole('button', { name: 'What changed' }))
    const diff = await screen.findByRole('figure', { name: 'What changed' })
    expect([...diff.querySelectorAll('.del, .add')].map((line) => line.textContent)).toEqual(['−out: two', '+in: three'])
  })

  it('has a switch only where the server takes subscriptions and runs', async () => {
    const link = open(notes, [running('files', {}, offers)])
    fireEvent.click(await screen.findByRole('switch', { name: /^Subscribe/ }))
    expect(link.paramsOf('server.subscribeResource')).toEqual([{ name: 'files', uri }])
    link.tell('server.changed', { server: running('files') })
    await waitFor(() => expect(screen.queryByRole('switch', { name: /^Subscribe/ })).toBeNull())
  })
})

describe('what is looked at', () => {
  it('goes into the chat that was open last, or a new one', async () => {
    const attachment = { id: 'a1', name: 'notes.txt', kind: 'text' as const, blob: text('x').blob }
    const link = open(notes, [running('files')], { 'mention.attach': () => ({ attachments: [attachment] }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Attach to “Books”' }))
    await waitFor(() =>
      expect(link.paramsOf('draft.attach')).toMatchObject([{ conversationId: 'c1', extras: { attachments: [attachment] } }]),
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Attach to a new chat' }))
    await waitFor(() => expect(window.location.hash).toBe('#/chat'))
    expect(link.paramsOf('draft.attach').at(-1)).toEqual({ extras: { attachments: [attachment] } })
  })

  it('is not attached when the server did not give it, until it does', async () => {
    const refuse = (): never => {
      throw new HostError('server.said-no', '“files” answered: no such resource')
    }
    const link = open(notes, [running('files')], { 'library.read': refuse })
    await screen.findByText(/no such resource/)
    const attach = screen.getByRole('button', { name: 'Attach to “Books”' })
    fireEvent.click(attach)
    expect([attach.getAttribute('aria-disabled'), link.paramsOf('mention.attach')]).toEqual(['true', []])
    link.answer({ 'library.read': () => read(text('one')) })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(attach.getAttribute('aria-disabled')).toBe('false'))
  })

  it('fetches nothing from elsewhere, whatever it says', async () => {
    const markdown = text('![x](https://evil.example/a.png) [go](https://evil.example) <img src="https://evil.example/b.png">', {
      mimeType: 'text/markdown',
    })
    open(notes, [running('files')], { 'library.read': () => read(markdown) })
    await screen.findByText('Formatted')
    const away = [...document.querySelectorAll('[src], link')].map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '')
    expect(away.filter((source) => !source.startsWith('/') && !source.startsWith('data:'))).toEqual([])
  })

  it('can be seen as it is', async () => {
    open(notes, [running('files')], { 'library.read': () => read(text('vendor,vat\nKestrel,none', { mimeType: 'text/csv' })) })
    expect(await screen.findByRole('columnheader', { name: 'vendor' })).toBeTruthy()
    fireEvent.click(screen.getByRole('radio', { name: 'Text' }))
    expect((await screen.findAllByLabelText('Text')).map(({ textContent }) => textContent).join(' ')).toContain('vendor,vat')
  })
})

describe('the prompts section', () => {
  const chase = { name: 'chase', title: 'Chase', description: 'Writes a letter', arguments: [{ name: 'vendor', required: true }] }
  const used = {
    server: 'files',
    name: 'chase',
    arguments: { vendor: 'Acme' },
    messages: [
      {
        role: 'user' as const,
        text: 'Write a letter.',
        attachments: [{ id: 'a', name: 'rules.txt', kind: 'text' as const, blob: text('r').blob }],
      },
    ],
  }

  it('fills a prompt in, shows all that it says with what is embedded, and puts it into a chat', async () => {
    const link = open('#/library/prompts', [running('files')], {
      'library.listing': () => listing({ prompts: [chase] }),
      'mention.prompt': () => ({ prompt: used }),
      'server.complete': () => ({ values: ['Acme'] }),
    })
    fireEvent.click(await row(/^Chase/))
    const field = await screen.findByRole('combobox', { name: /vendor/ })
    fireEvent.change(field, { target: { value: 'Acme' } })
    fireEvent.click(screen.getByRole('button', { name: 'Preview' }))
    await screen.findByText('Write a letter.')
    expect(screen.getByRole('button', { name: /rules.txt/ })).toBeTruthy()
    expect(link.paramsOf('mention.prompt')).toMatchObject([{ server: 'files', name: 'chase', arguments: { vendor: 'Acme' } }])
    fireEvent.click(screen.getByRole('button', { name: 'Insert into “Books”' }))
    expect(link.paramsOf('draft.attach')).toMatchObject([{ conversationId: 'c1', extras: { prompt: used } }])
    expect(window.location.hash).toBe('#/chat/c1')
  })

  it('asks a server that does not run for nothing by itself', async () => {
    const link = open('#/library/prompts/files/plain', [makeServer({ name: 'files', state: { kind: 'stopped', reason: 'idle' } })], {
      'library.listing': () => listing({ prompts: [{ name: 'plain' }] }),
    })
    expect(await screen.findByRole('button', { name: 'Start' })).toBeTruthy()
    expect(link.paramsOf('mention.prompt')).toEqual([])
  })
})

describe('the skills section', () => {
  const refunds = { uri: 'skill://refunds/SKILL.md', name: 'refunds', description: 'Pays money back', bytes: 120 }
  const letters = { uri: 'skill://letters/SKILL.md', name: 'letters', description: 'Writes letters', bytes: 80 }
  const shop = (change: Partial<ServerSummary> = {}): ServerSummary => running('shop', change, ['skills'])
  const one = '#/library/skills/shop/skill%3A%2F%2Frefunds%2FSKILL.md'
  const listsOf = (...skills: object[]): FakeAnswers => ({ 'library.skills': () => ({ skills: skills as (typeof refunds)[], more: 0 }) })

  it('lists the skills of servers that run, and reads nothing before one is chosen', async () => {
    const link = open('#/library/skills', [shop(), running('files')], listsOf(refunds, letters))
    expect(await row('refunds')).toBeTruthy()
    expect(screen.queryByRole('treeitem', { name: /files/ })).toBeNull()
    expect([link.paramsOf('library.skills').map(({ server }) => server), link.paramsOf('library.read')]).toEqual([['shop'], []])
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'money' } })
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: 'letters' })).toBeNull())
    fireEvent.click(await row('refunds'))
    expect(await screen.findByLabelText('Text')).toBeTruthy()
    expect(link.paramsOf('library.read')).toMatchObject([{ server: 'shop', uri: refunds.uri, skill: true }])
  })

  it('puts what was read into a message, and nothing else', async () => {
    const shown = text('Pay nobody.')
    const attachment = { id: 'a1', name: 'SKILL.md', kind: 'text' as const, blob: shown.blob }
    const link = open(one, [shop()], {
      ...listsOf(refunds),
      'library.read': () => read(shown),
      'mention.attach': () => ({ attachments: [attachment] }),
    })
    const attach = await screen.findByRole('button', { name: 'Attach to “Books”' })
    await waitFor(() => expect(attach.getAttribute('aria-disabled')).toBe('false'))
    fireEvent.click(attach)
    await waitFor(() =>
      expect(link.paramsOf('draft.attach')).toMatchObject([{ conversationId: 'c1', extras: { attachments: [attachment] } }]),
    )
    expect(link.paramsOf('mention.attach')).toMatchObject([{ server: 'shop', uri: refunds.uri, skill: shown.blob.sha256 }])
  })

  it('says why a skill is not read, and reads it not', async () => {
    const link = open(one, [shop()], listsOf({ ...refunds, problem: 'its text changes with each read' }))
    await screen.findByText(/changes with each read/)
    expect(screen.getByRole('button', { name: 'Attach to “Books”' }).getAttribute('aria-disabled')).toBe('true')
    expect(link.paramsOf('library.read')).toEqual([])
  })

  it('starts no server, and says when there is none, or the list failed', async () => {
    const { unmount } = { unmount: () => document.body.replaceChildren() }
    const stopped = open('#/library/skills', [shop({ state: { kind: 'stopped', reason: 'idle' } })])
    expect((await row(/^shop/)).textContent).toContain('Listed once')
    expect(stopped.paramsOf('library.skills')).toEqual([])
    unmount()
    open('#/library/skills', [running('files')])
    expect((await screen.findAllByText('Nothing found.')).length).toBeGreaterThan(0)
    unmount()
    const failing = open('#/library/skills', [shop()], {
      'library.skills': () => {
        throw new HostError('server.said-no', '“shop” answered: no')
      },
    })
    await screen.findByText(/answered: no/)
    failing.answer(listsOf(refunds))
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await row('refunds')).toBeTruthy()
  })
})
