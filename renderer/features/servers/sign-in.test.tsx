import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { Diagnosis } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeServer, makeSignInRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const url = 'https://auth.tracker.example/authorize?state=s'
const remote: Partial<ServerSummary> = {
  name: 'tracker',
  definition: {
    transport: 'streamable-http',
    url: 'https://mcp.tracker.example/mcp',
    headers: {},
    enabled: true,
    start: 'needed',
    trusted: false,
  },
}
const signingIn = { kind: 'starting', since: 1, attempt: 1, step: 'signing-in' } as const
const waiting = makeServer({
  ...remote,
  state: signingIn,
  signIn: { kind: 'waiting', issuer: 'https://auth.tracker.example', url, since: 1 },
})
const signedIn = makeServer({
  ...remote,
  signIn: {
    kind: 'signed-in',
    issuer: 'https://auth.tracker.example',
    scopes: ['read', 'wri\u200bte'],
    refreshable: true,
    grant: 'authorization-code',
    dpop: true,
  },
})
const open = (server: ServerSummary, tab = '', answers: FakeAnswers = {}, snapshot: object = {}): FakeConnection => {
  const link = createFakeConnection({
    snapshot: { servers: [server], ...snapshot },
    answers: {
      'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
      'server.log': () => ({ lines: [], dropped: 0 }),
      ...answers,
    },
  })
  renderAt(link, `#/servers/tracker${tab}`)
  return link
}
const button = (name: string | RegExp) => screen.findByRole('button', { name })
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the account of a server', () => {
  const as = (name: string, signed?: true) =>
    makeServer({
      ...remote,
      signIn: {
        kind: 'signed-in',
        issuer: 'https://auth.tracker.example',
        scopes: [],
        refreshable: true,
        grant: 'authorization-code',
        dpop: false,
        account: { id: 'a1', name, ...(signed && { signed }) },
      },
    })

  it('stands on its row, its headline and its details, with how far it is sure', async () => {
    open(as('ada@work.example', true), '/details')
    expect(await screen.findAllByText('ada@work.example')).toHaveLength(3)
    expect(screen.getByText('signed by the issuer')).toBeTruthy()
  })

  it('is text, whatever its issuer wrote', async () => {
    open(as('<img src=x>\u202eada'), '/details')
    await screen.findByText('claimed, not signed')
    const shown = [...document.querySelectorAll('.account-name')]
    expect(shown).toHaveLength(3)
    for (const one of shown) expect([one.querySelector('img'), one.textContent?.includes('\u202e')]).toEqual([null, false])
  })
})

describe('a server that waits for a sign-in', () => {
  it('shows the card of its own sign-in until the person has answered', async () => {
    const mine = makeSignInRequest({ id: 'mine', server: 'tracker' })
    const other = makeSignInRequest({ id: 'other', server: 'ledger' })
    open(makeServer({ ...remote, state: signingIn }), '', {}, { consentRequests: [other, mine] })
    await button(/^Open in browser/)
    expect([...document.querySelectorAll('[data-request]')].map((card) => card.getAttribute('data-request'))).toEqual(['mine'])
  })

  it('shows a card also while it runs and wants to be allowed more', async () => {
    open(makeServer(remote), '', {}, { consentRequests: [makeSignInRequest({ server: 'tracker', why: { kind: 'more-scopes' } })] })
    expect(await button(/^Open in browser/)).toBeTruthy()
  })

  it('says that it waits for the browser, opens the page again and can be called off', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const link = open(waiting, '', { 'app.openUrl': () => ({ by: 'page' }), 'server.cancelSignIn': () => ({}) })
    const place = await screen.findByRole('region', { name: 'Sign-in: tracker' })
    fireEvent.click(within(place).getByRole('button', { name: 'Open again' }))
    await waitFor(() => expect(opened.mock.calls).toEqual([[url, '_blank', 'noopener,noreferrer']]))
    fireEvent.click(within(place).getByRole('button', { name: 'Cancel' }))
    expect([link.paramsOf('app.openUrl'), link.paramsOf('server.cancelSignIn')]).toEqual([[{ url }], [{ name: 'tracker' }]])
  })

  it('takes the address that the browser ended at, and says beside the field why one does not fit', async () => {
    const link = open(waiting, '', {
      'server.finishSignIn': () => {
        throw new HostError('contract.invalid', 'This is not the one.')
      },
    })
    const field = await screen.findByLabelText(/^Paste the last address/)
    const finish = screen.getByText('Finish')
    fireEvent.click(finish)
    expect(link.paramsOf('server.finishSignIn')).toEqual([])
    fireEvent.change(field, { target: { value: ' http://127.0.0.1:1/callback?code=c ' } })
    fireEvent.click(finish)
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(link.paramsOf('server.finishSignIn')).toEqual([{ name: 'tracker', address: 'http://127.0.0.1:1/callback?code=c' }])
    fireEvent.change(field, { target: { value: 'http://127.0.0.1:1/callback?code=d' } })
    expect(field.getAttribute('aria-invalid')).toBeNull()
  })
})

describe('a server that one is signed in to', () => {
  it('says where, for what, and that the token is bound; hidden characters are spelled out', async () => {
    open(signedIn, '/details')
    const section = await screen.findByRole('region', { name: 'Sign-in' })
    for (const shown of ['auth.tracker.example', 'read', 'zero-width space', 'DPoP']) expect(section.textContent).toContain(shown)
  })

  it('signs out only after a second press, which is not where the focus is', async () => {
    const link = open(signedIn, '/details', { 'server.signOut': () => ({ revoked: true }) })
    fireEvent.click(await button('Sign out'))
    expect(link.paramsOf('server.signOut')).toEqual([])
    expect(document.activeElement).toBe(await button('Cancel'))
    fireEvent.click(await button('Sign out'))
    await waitFor(() => expect(link.paramsOf('server.signOut')).toEqual([{ name: 'tracker' }]))
  })

  it('tells that the tokens could not be revoked', async () => {
    open(signedIn, '/details', { 'server.signOut': () => ({ revoked: false }) })
    fireEvent.click(await button('Sign out'))
    fireEvent.click(await button('Sign out'))
    const told = await screen.findByText(/^Signed out of “tracker”/)
    expect(told.textContent).toContain('could not be revoked')
  })

  it('signs in as someone else, and says in passing why that failed', async () => {
    const link = open(signedIn, '/details', {
      'server.signIn': () => {
        throw new HostError('server.sign-in-failed', 'It was refused there.')
      },
    })
    fireEvent.click(await button('Sign in as someone else'))
    expect(await screen.findByText(/^It was refused there/)).toBeTruthy()
    expect(link.paramsOf('server.signIn')).toEqual([{ name: 'tracker' }])
  })

  it('offers no other person where none signed in', async () => {
    const { signIn } = signedIn
    if (signIn?.kind !== 'signed-in') throw new Error('not signed in')
    open({ ...signedIn, signIn: { ...signIn, grant: 'client-credentials' } }, '/details')
    await button('Sign out')
    expect(screen.queryByRole('button', { name: 'Sign in as someone else' })).toBeNull()
  })

  it('can be signed in to again once signed out', async () => {
    const link = open(makeServer({ ...remote, signIn: { kind: 'signed-out' } }), '/details', { 'server.signIn': () => ({}) })
    fireEvent.click(await button('Sign in'))
    await waitFor(() => expect(link.paramsOf('server.signIn')).toEqual([{ name: 'tracker' }]))
  })
})

it('a sign-in that failed is begun again, or its settings opened at their place', async () => {
  const error = { code: 'server.sign-in-failed', message: 'no', data: { reason: 'invalid_client' } } as const
  const diagnosis: Diagnosis = {
    code: 'sign-in-failed',
    short: 'sign-in failed',
    message: 'The sign-in to tracker failed.',
    why: '',
    remedy: 'It may want a client id.',
    actions: [
      { kind: 'edit', label: 'Edit', field: 'oauth' },
      { kind: 'retry', label: 'Sign in again' },
    ],
    tone: 'bad',
  }
  const link = open(makeServer({ ...remote, state: { kind: 'failed', at: 1, attempt: 1, error, diagnosis } }), '', {
    'server.start': () => ({}),
  })
  const alert = await screen.findByRole('alert')
  fireEvent.click(within(alert).getByRole('button', { name: 'Sign in again' }))
  expect(link.paramsOf('server.start')).toEqual([{ name: 'tracker' }])
  fireEvent.click(within(alert).getByRole('button', { name: 'Edit' }))
  const field = await screen.findByLabelText(/^Client id/)
  await waitFor(() => expect(document.activeElement).toBe(field))
})
