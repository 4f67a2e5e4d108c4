import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import { openingStore } from '#renderer/features/bundles/open-bundle.ts'
import { addServerStore, closeAddServer } from '#renderer/features/servers/open-add-server.ts'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { bundleSha256, bundleUrl, registryPageOf, registryServers } from '#renderer/testing/stories/registry.stories.ts'

/** The page is read in with the first of them, and a list goes on once the part before was drawn: what is waited for ends a wait. */
const slow = { timeout: 20_000 }
const unhurried = { timeout: 15_000 }
const ledger = 'io.github.maya-holm/ledger-files'
const answers: FakeAnswers = {
  'registry.find': ({ text, cursor }) => registryPageOf(registryServers, text, cursor),
  'registry.server': ({ name }) => registryPageOf(registryServers, name),
  'registry.cancel': () => ({}),
}
function open(hash = '#/registry', more: FakeAnswers = {}): FakeConnection {
  const link = createFakeConnection({ answers: { ...answers, ...more } })
  renderAt(link, hash)
  return link
}
const detail = () => screen.findByRole('region', { name: ledger })
const words = (where: HTMLElement): (string | null)[] =>
  [...where.querySelectorAll('.cmdline > div > :last-child')].map((word) => word.textContent)
afterEach(() => {
  closeAddServer()
  openingStore.setState({ opening: { kind: 'none' } })
})

describe('the list', () => {
  it('follows what is typed, page by page', slow, async () => {
    const link = open()
    const list = await screen.findByRole('navigation', { name: 'Servers' }, unhurried)
    expect(within(list).getAllByRole('link')[0]?.textContent).toContain('Ledger files')
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find a server' }), { target: { value: 'calendar' } })
    await waitFor(() => expect(within(list).getAllByRole('listitem').length).toBe(1))
    expect(link.paramsOf('registry.find').map(({ text, cursor }) => [text, cursor])).toEqual([
      ['', undefined],
      ['', '50'],
      ['calendar', undefined],
    ])
  })

  it('stops at a registry whose pages go on without anything new', slow, async () => {
    let asked = 0
    open('#/registry', {
      'registry.find': () => {
        asked += 1
        return { ...registryPageOf(registryServers.slice(0, 2), ''), next: `page ${asked}` }
      },
    })
    await screen.findByText(/ found$/, undefined, unhurried)
    expect(asked).toBeLessThan(6)
  })

  it('says when what is shown is from before, and why; and what could not be read', async () => {
    const error = { code: 'registry.unreachable' as const, message: 'registry.example could not be reached.' }
    open('#/registry', {
      'registry.find': () => ({ ...registryPageOf(registryServers.slice(0, 2), ''), at: 0, source: 'kept', unread: 3, error }),
    })
    await screen.findByText(error.message)
    expect(screen.getByRole('status').textContent).toMatch(/1970/)
    screen.getByText(/^3 entries/)
  })

  it('says why there is none, and asks again', async () => {
    const link = open('#/registry', {
      'registry.find': () => {
        throw new HostError('registry.unreachable', 'registry.example could not be reached.')
      },
    })
    const again = await screen.findByRole('button', { name: 'Try again' })
    link.answer({ 'registry.find': ({ text }) => registryPageOf(registryServers, text) })
    fireEvent.click(again)
    await screen.findByRole('navigation', { name: 'Servers' })
  })
})

describe('a server of it', () => {
  it('shows its texts with hidden characters named, names that look alike, and links by their target', async () => {
    const link = open('#/registry/io.github.rnaya-holm%2Fledger-files')
    const shown = await screen.findByRole('region', { name: 'io.github.rnaya-holm/ledger-files' })
    expect(shown.querySelector('.said-by-server .reveal')).not.toBeNull()
    // The list may come after the server itself.
    await within(shown).findByText(/looks like “io\.github\.maya-holm\/ledger-files”/)
    expect(document.querySelectorAll('img, iframe, a[href^="http"]').length).toBe(0)
    expect(link.paramsOf('app.openUrl')).toEqual([])
  })

  it('becomes the command that its own descriptions make of what is said, and goes to the screen that adds it', async () => {
    open(`#/registry/${encodeURIComponent(ledger)}`)
    const shown = await detail()
    fireEvent.click(within(shown).getByRole('button', { name: 'Add' }))
    const folder = within(shown).getByLabelText(/^folder/)
    expect([folder.getAttribute('aria-invalid'), document.activeElement === folder]).toEqual(['true', true])
    fireEvent.change(folder, { target: { value: '/home/maya/in voices' } })
    fireEvent.click(within(shown).getByRole('button', { name: /One more/ }))
    fireEvent.change(within(shown).getAllByLabelText(/^folder/)[1] as HTMLElement, { target: { value: '/data' } })
    fireEvent.click(within(shown).getByRole('checkbox', { name: /LEDGER_PROXY_KEY/ }))
    expect(words(shown)).toEqual(['npx', '-y', '@holm/ledger-files@2.4.1', '--mode', 'read', '/home/maya/in voices', '/data'])
    fireEvent.click(within(shown).getByRole('button', { name: 'Add' }))
    const { source } = addServerStore.getState()
    if (source.kind !== 'found') throw new Error('nothing was found')
    expect(source.servers[0]).toMatchObject({
      name: 'ledger-files',
      definition: {
        command: 'npx',
        trusted: false,
        env: {
          LEDGER_TOKEN: `\${input:ledger-files-LEDGER-TOKEN}`,
          LEDGER_PROXY_KEY: `\${input:ledger-files-LEDGER-PROXY-KEY}`,
          LOG_LEVEL: 'info',
        },
      },
    })
    expect(source.inputs.map(({ password }) => password)).toEqual([true, true])
    expect(window.location.hash).toBe('#/servers//add')
  })

  it('says what a container would be given of this computer, and which ways cannot be used', async () => {
    open(`#/registry/${encodeURIComponent(ledger)}`)
    const shown = await detail()
    fireEvent.click(within(shown).getByRole('radio', { name: /container/ }))
    expect(words(shown).slice(0, 3)).toEqual(['docker', 'run', '-i'])
    expect([...shown.querySelectorAll('[aria-label="Command"] .notice .strong')].map((one) => one.textContent)).toEqual([
      expect.stringContaining('--privileged'),
      expect.stringContaining('-v /:/data'),
    ])
  })

  it('as a bundle is fetched once the person agreed to its address, its size and its hash', async () => {
    const coming = Promise.withResolvers<BundleSummary>()
    const link = open(`#/registry/${encodeURIComponent(ledger)}`, {
      'bundle.download': () => coming.promise,
      'bundle.stopDownload': () => ({}),
    })
    const shown = await detail()
    fireEvent.click(within(shown).getByRole('radio', { name: /bundle/ }))
    fireEvent.click(within(shown).getByRole('button', { name: 'Download' }))
    const question = await screen.findByRole('dialog', { name: 'Download this bundle?' })
    expect([question.querySelector('.url')?.textContent, question.textContent, link.paramsOf('bundle.download')]).toEqual([
      bundleUrl,
      expect.stringMatching(new RegExp(`github\\.com, at most 537 MB.*${bundleSha256}`)),
      [],
    ])
    fireEvent.click(within(question).getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(link.paramsOf('bundle.download')).toMatchObject([{ url: bundleUrl, sha256: bundleSha256 }]))
    const [{ download = '' } = {}] = link.paramsOf('bundle.download')
    await screen.findByRole('dialog', { name: 'Download' })
    act(() => link.tell('bundle.downloading', { download, bytes: 1_500_000, total: 3_000_000 }))
    expect([screen.getByRole('progressbar').getAttribute('aria-valuenow'), screen.getByText('1.5 MB of 3.0 MB').tagName]).toEqual([
      '50',
      'SPAN',
    ])
    act(() => coming.reject(new HostError('bundle.wrong-hash', 'It is not what the registry lists.')))
    await screen.findByText('It is not what the registry lists.')
    link.answer({ 'bundle.download': () => Promise.withResolvers<BundleSummary>().promise })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(link.paramsOf('bundle.stopDownload').length).toBe(1))
  })

  it('as a bundle without a hash is told to be of nobody knows what', async () => {
    open('#/registry/com.acme%2Fnotes')
    const shown = await screen.findByRole('region', { name: 'com.acme/notes' })
    within(shown).getByText(/gives no SHA-256/)
    fireEvent.click(within(shown).getByRole('button', { name: 'Download' }))
    await screen.findByRole('button', { name: 'Download anyway' })
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  })

  it('is asked for by its name where the list does not have it, in the version that is wanted', async () => {
    const link = open('#/registry/com.acme%2Fcalendar/0.9', {
      'registry.find': () => registryPageOf([], ''),
      'registry.server': ({ name }) => registryPageOf(registryServers, name),
    })
    const shown = await screen.findByRole('region', { name: 'com.acme/calendar' })
    within(shown).getByText(/Use com\.acme\/calendar-2/)
    expect(link.paramsOf('registry.server')).toMatchObject([{ name: 'com.acme/calendar', version: '0.9' }])
  })
})

describe('its address', () => {
  it('is another one only if that can be a registry', async () => {
    const link = open('#/registry', { 'settings.set': () => ({}) })
    fireEvent.click(await screen.findByRole('button', { name: 'Change' }))
    const field = await screen.findByLabelText('Address')
    const use = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Use it' }))
    fireEvent.change(field, { target: { value: 'http://registry.example' } })
    use()
    expect([field.getAttribute('aria-invalid'), link.paramsOf('settings.set')]).toEqual(['true', []])
    fireEvent.change(field, { target: { value: 'https://registry.example/v0.1/servers' } })
    use()
    expect(link.paramsOf('settings.set')).toEqual([{ registryAddress: 'https://registry.example' }])
  })

  it('that is not the official one is not said to check names', async () => {
    const settings = { ...makeSnapshot().settings, registryAddress: 'https://registry.example' }
    const link = createFakeConnection({ snapshot: { settings }, answers })
    renderAt(link, `#/registry/${encodeURIComponent(ledger)}`)
    within(await detail()).getByText(/registry\.example may not have checked/)
  })
})
