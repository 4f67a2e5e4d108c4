// What a program may do, on the card of its launch: shown, edited, and sent as it is shown.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ConfigImportRequest, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { engineCommands, type LaunchSandbox, noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { first, pass, show, withCardClock } from '#renderer/testing/consent-card.tsx'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { CommandLineView } from './command-line-view.tsx'

type On = Extract<LaunchSandbox, { kind: 'on' }>
const on = (more: Partial<On> = {}): On => ({ kind: 'on', ownFolder: true, ...noGrants, ...more })
const target = (sandbox: LaunchSandbox | undefined): Extract<LaunchTarget, { readonly transport: 'stdio' }> => ({
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'notes-mcp@2.1.0'],
  envNames: ['NODE_OPTIONS', 'NOTES_TOKEN'],
  variables: [{ name: 'NODE_OPTIONS', value: '--require ./trace.js', effect: 'code' }],
  folder: '/home/ada',
  ...(sandbox ? { sandbox } : {}),
})
const asked = (sandbox: LaunchSandbox, more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  id: 'r1',
  kind: 'launch',
  createdAt: 3000,
  server: 'notes',
  why: { kind: 'first-launch' },
  target: target(sandbox),
  fingerprint: 'f'.repeat(64),
  ...more,
})

const rows = (): string[] => screen.getAllByRole('group').map((row) => row.textContent)
const row = (name: string): HTMLElement => screen.getByRole('group', { name })
const run = (name = /^(Start|Run)/): void => {
  pass(700)
  fireEvent.click(first(name))
}

describe('where nothing is edited', () => {
  it.each<[string, LaunchSandbox | undefined, string[], string]>([
    [
      'the four kinds in their order',
      on({ ownFolder: false, read: ['/r'], write: ['/w'], hosts: ['a.example'] }),
      ['Read folders/rAlways: the system and its package.', 'Write folders/wAlways: a home folder of its own.', 'Reach hostsa.example'],
      'Everything else is blocked',
    ],
    [
      'what a star is',
      on({ hosts: ['*'] }),
      ['Read foldersAlways: the system and its package.', 'Write foldersAlways: a home folder of its own.', 'Reach hosts*any website'],
      'Everything else is blocked',
    ],
    [
      'what it may not even there',
      on({ denyRead: ['/w/no'], denyHosts: ['b.example'] }),
      ['Read foldersAlways: the system and its package.', 'Write foldersAlways: a home folder of its own.', 'Reach hostsNone'],
      'Never read/w/no',
    ],
    ['that its entry turns the sandbox off', { kind: 'off' }, [], 'Not sandboxed: its entry in servers.json says so.'],
    ['that the person did', { kind: 'off', by: 'person' }, [], 'Not sandboxed: you chose so.'],
    [
      'that there is no engine',
      { kind: 'missing', reason: 'refused', remedy: 'Do this.' },
      [],
      'There is no sandbox on this computer. Do this.',
    ],
    ['the environment alone', undefined, [], 'EnvironmentNODE_OPTIONSNOTES_TOKENNODE_OPTIONS=--require ./trace.js chooses what runs'],
  ])('shows %s', async (_what, sandbox, grants, words) => {
    const { container } = await renderWith(<CommandLineView target={target(sandbox)} />)
    expect(rows().slice(0, grants.length)).toEqual(grants)
    expect(container.textContent).toContain(words)
    expect(screen.queryAllByRole('button', { name: /Don’t let|Add/ })).toEqual([])
    cleanup()
  })

  it.each<[string, string[], boolean]>([
    ['docker', ['TOKEN'], true],
    ['docker', ['PATH (kept secret: path)'], false],
    ['/tmp/docker', [], false],
  ])('says that %s with the variables %o runs in a container: %s', async (command, envNames, says) => {
    const { container } = await renderWith(<CommandLineView target={{ ...target(undefined), command, args: ['run', 'a/b'], envNames }} />)
    expect(container.textContent?.includes('it runs in a container')).toBe(says)
    cleanup()
  })

  it.each<[boolean, string]>([
    [true, 'a home folder of its own'],
    [false, '/home/ada'],
  ])('names the folder that it really begins in (its own: %s)', async (ownFolder, folder) => {
    const { container } = await renderWith(<CommandLineView target={target(on({ ownFolder }))} />)
    expect(container.textContent).toContain(`Folder${folder}`)
    cleanup()
  })
})

describe('on the card', () => {
  withCardClock()

  const open = (list: string): HTMLElement => {
    fireEvent.click(row(list).querySelector('button.add') as HTMLElement)
    return row(list).querySelector('input') as HTMLElement
  }
  const type = (field: HTMLElement, text: string): void => {
    fireEvent.change(field, { target: { value: text } })
    fireEvent.keyDown(field, { key: 'Enter' })
  }

  it('sends no sandbox where nothing was edited, and names why each grant is suggested', async () => {
    const { answers } = await show(
      asked(on({ read: ['/home/ada/notes'] }), { suggested: [{ list: 'read', value: '/home/ada/notes', reason: 'argument' }] }),
    )
    expect(row('Read folders').textContent).toContain('/home/ada/notesfrom its arguments')
    run()
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always' } }])
    await act(settle)
  })

  it('sends exactly what it shows', async () => {
    const { answers } = await show(asked(on({ read: ['/a', '/b'], hosts: ['a.example'], denyRead: ['/a/no'] })))
    fireEvent.click(screen.getByRole('button', { name: 'Remove folder /a to read' }))
    const field = open('Reach hosts')
    type(field, 'api.example.com:8443')
    type(field, '*.b.example')
    run()
    const grants = { ...noGrants, read: ['/b'], denyRead: ['/a/no'], hosts: ['a.example', 'api.example.com:8443', '*.b.example'] }
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always', sandbox: { kind: 'on', grants } } }])
    await act(settle)
  })

  it('waits again before it can be allowed after each edit', async () => {
    const { answers } = await show(asked(on({ read: ['/a'] })))
    pass(700)
    fireEvent.click(screen.getByRole('button', { name: 'Remove folder /a to read' }))
    fireEvent.click(first(/^(Start|Run)/))
    expect(answers()).toEqual([])
  })

  it.each([
    ['Reach hosts', 'https://a.example', /host: api\.example\.com/],
    ['Read folders', 'notes', /from \/ or ~/],
    ['Write folders', '~/.ssh', /No server may do this/],
  ])('says at the field of “%s” what is wrong with %s, and allows nothing until it is gone', async (list, text, words) => {
    const { answers } = await show(asked(on()))
    const field = open(list)
    type(field, text)
    expect(field.getAttribute('aria-describedby')).not.toBeNull()
    expect(document.getElementById(String(field.getAttribute('aria-describedby')))?.textContent).toMatch(words)
    run()
    expect(answers()).toEqual([])
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(document.activeElement?.textContent).toContain('Add')
    run()
    expect(answers()).toHaveLength(1)
    await act(settle)
  })

  it('goes by the keyboard whole, with the focus where it was', async () => {
    await show(asked(on({ read: ['/a', '/b', '/c'] })))
    const remove = (path: string): HTMLElement => screen.getByRole('button', { name: `Remove folder ${path} to read` })
    remove('/b').focus()
    fireEvent.keyDown(remove('/b'), { key: 'Delete' })
    expect(document.activeElement).toBe(remove('/c'))
    fireEvent.keyDown(remove('/c'), { key: 'Backspace' })
    expect(document.activeElement).toBe(remove('/a'))
    fireEvent.keyDown(remove('/a'), { key: 'Backspace' })
    expect(document.activeElement?.textContent).toBe('Add folder')
    const field = open('Read folders')
    expect(document.activeElement).toBe(field)
    type(field, '~/notes')
    expect(document.activeElement).toBe(field)
    fireEvent.keyDown(field, { key: 'Backspace' })
    expect(document.activeElement).toBe(remove('~/notes'))
  })

  it('lets a secret path in only after a review that says what it holds', async () => {
    const { answers } = await show(asked(on()))
    const field = open('Read folders')
    type(field, '~/.ssh/config')
    expect(document.activeElement?.textContent).toBe('Keep blocked')
    expect(screen.getByRole('group', { name: 'Review ~/.ssh/config' }).textContent).toContain('Your keys are there')
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
    expect(document.activeElement).toBe(field)
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.click(screen.getByRole('button', { name: 'Let it read this' }))
    expect(row('Read folders').textContent).toContain('~/.ssh/configkeys')
    expect(row('Read folders').querySelector('.err')).toBeNull()
    expect(first(/^(Start|Run)/).className).not.toContain('primary')
    run()
    expect(answers()).toEqual([
      { id: 'r1', answer: { kind: 'allow', scope: 'always', sandbox: { kind: 'on', grants: { ...noGrants, read: ['~/.ssh/config'] } } } },
    ])
    await act(settle)
  })

  it('names the grant that the host refused, in its words, and can be answered again', async () => {
    const { link, answers } = await show(asked(on({ read: ['/data', '/b'] })))
    const message = 'No server may use the data folder of Assent (/data).'
    link.answer({
      'consent.answer': () => {
        throw new HostError('server.sandbox-grant', message, { data: { path: '/data' } })
      },
    })
    run()
    await act(settle)
    expect(screen.getByText(message).closest('li')?.textContent).toContain('/data')
    fireEvent.click(screen.getByRole('button', { name: 'Remove folder /data to read' }))
    expect(screen.queryByText(message)).toBeNull()
    link.answer({ 'consent.answer': () => ({ accepted: true }) })
    run()
    expect(answers()).toHaveLength(2)
    await act(settle)
  })

  it('runs without a sandbox where the person says so, and that is no highlighted button', async () => {
    const { answers } = await show(asked(on({ read: ['/a'] })))
    fireEvent.click(screen.getByRole('switch', { name: 'Run in a sandbox' }))
    expect(screen.getByText(/can read and change what you can, and reach every host/)).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Read folders' })).toBeNull()
    expect(screen.getByText('Folder').nextElementSibling?.textContent).toBe('/home/ada')
    expect(first(/^Run without sandbox/).className).not.toContain('primary')
    run(/^Run without sandbox/)
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always', sandbox: { kind: 'off' } } }])
    await act(settle)
  })

  it('puts both ways side by side for a server that ran without one', async () => {
    const { answers } = await show(asked(on({ read: ['/a'] }), { why: { kind: 'launch-sandbox' } }))
    const [inside, without] = screen.getAllByRole('radio') as HTMLInputElement[]
    expect([inside?.checked, without?.checked]).toEqual([true, false])
    fireEvent.click(without as HTMLElement)
    run(/^Run without sandbox/)
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always', sandbox: { kind: 'off' } } }])
    await act(settle)
  })

  it.each([
    ['not-installed', engineCommands.install],
    ['refused', engineCommands.appArmor],
  ] as const)('copies the command against a missing sandbox (%s)', async (reason, command) => {
    const writeText = vi.fn(async (_text: string) => undefined)
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    await show(asked({ kind: 'missing', reason, remedy: `This helps: ${command}. Then start.`, byDefault: true }))
    fireEvent.click(screen.getByRole('button', { name: 'Copy command' }))
    await act(settle)
    expect(writeText.mock.calls).toEqual([[command]])
    pass(2000)
    vi.unstubAllGlobals()
  })
})

describe('in the review of an import', () => {
  withCardClock()

  const launch = (server: string, sandbox: LaunchSandbox, more: Partial<LaunchRequest> = {}): LaunchRequest => ({
    ...asked(sandbox, more),
    id: `start-${server}`,
    server,
    target: { transport: 'stdio', command: 'npx', args: ['-y', `${server}-mcp`], envNames: [], sandbox },
  })
  const review = (...launches: readonly LaunchRequest[]): ConfigImportRequest => ({
    id: 'r1',
    kind: 'config-import',
    createdAt: 1,
    server: 'Cursor',
    why: { kind: 'person-asks' },
    servers: launches.map((one) => ({ name: one.server, from: 'Cursor', file: '/c', target: one.target, secrets: [], launch: one })),
  })
  const block = (server: string): HTMLElement => screen.getByRole('region', { name: server })
  const press = (name = /^Import \d/): void => {
    pass(700)
    fireEvent.click(first(name))
  }

  it('each start is shown as its own card shows it, and the yes waits as that of a launch does', async () => {
    const { answers } = await show(review(launch('notes', on({ read: ['/home/ada/notes'] })), launch('mail', on({ hosts: ['a.example'] }))))
    expect([block('notes').querySelector('.cmdline')?.textContent, block('notes').textContent?.includes('/home/ada/notes')]).toEqual([
      'Programnpx1-y2notes-mcp',
      true,
    ])
    fireEvent.click(first(/^Import 2/))
    expect(answers()).toEqual([])
    press()
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', imports: { notes: {}, mail: {} } } }])
    await act(settle)
  })

  it('what is left out is neither imported nor allowed, and a change waits anew', async () => {
    const { answers } = await show(review(launch('notes', on()), launch('mail', on())))
    pass(700)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Import “mail”' }))
    fireEvent.click(first(/^Import 1/))
    expect(answers()).toEqual([])
    press()
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', imports: { notes: {} } } }])
    await act(settle)
  })

  it('a sandbox is sent as it is edited, and what weakens it is not the highlighted button', async () => {
    const { answers } = await show(review(launch('notes', on()), launch('mail', on())))
    pass(700)
    expect(first(/^Import 2/).className).toContain('primary')
    fireEvent.click(within(block('mail')).getByRole('switch', { name: 'Run in a sandbox' }))
    pass(700)
    expect(first(/^Import 2/).className).not.toContain('primary')
    press()
    expect(answers()).toEqual([
      { id: 'r1', answer: { kind: 'allow', scope: 'once', imports: { notes: {}, mail: { sandbox: { kind: 'off' } } } } },
    ])
    await act(settle)
  })

  it.each<[string, Partial<LaunchRequest>]>([
    ['replaces one that was allowed', { previous: target(on()), why: { kind: 'launch-changed' } }],
    ['has another value', { changedValues: ['NOTES_TOKEN'], why: { kind: 'launch-values' } }],
  ])('a start that %s takes the highlight off', async (_what, more) => {
    await show(review(launch('notes', on(), more)))
    pass(700)
    expect(first(/^Import 1/).className).not.toContain('primary')
    cleanup()
  })

  it('nothing is sent while a folder is typed and not added', async () => {
    const { answers } = await show(review(launch('notes', on())))
    fireEvent.click(row('Read folders').querySelector('button.add') as HTMLElement)
    fireEvent.change(row('Read folders').querySelector('input') as HTMLElement, { target: { value: '/tmp' } })
    press()
    expect(answers()).toEqual([])
    cleanup()
  })
})
