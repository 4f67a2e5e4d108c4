import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const summary = {
  conversations: 2,
  messages: 9,
  already: 1,
  broken: 1,
  faults: [{ name: 'Odd', reason: 'it is not a conversation' }],
  sources: ['chatgpt' as const],
  cut: false,
}

async function open(answers: FakeAnswers = {}, { canChooseFolder = true } = {}): Promise<FakeConnection> {
  const link = createFakeConnection({
    snapshot: { shell: { ...makeSnapshot().shell, canChooseFolder } },
    answers: {
      'import.begin': () => ({ id: 'i1' }),
      'import.push': () => summary,
      'import.end': () => summary,
      'backup.check': () => ({ bytes: 2_000_000, conversations: 3, messages: 40, changedAt: 1, permissions: [], digest: 'd1' }),
      ...answers,
    },
  })
  renderAt(link, '#/settings/data')
  await screen.findByRole('button', { name: 'Import chats…' })
  return link
}
const choose = (text: string): boolean =>
  fireEvent.change(screen.getByLabelText('Import chats…'), { target: { files: [new File([text], 'conversations.json')] } })

it('looks through a file first, piece by piece, and imports it on a press', async () => {
  const link = await open()
  choose('x'.repeat(1_200_000))
  const button = await screen.findByRole('button', { name: 'Import 2 chats' })
  expect(link.paramsOf('import.begin')).toEqual([{ mode: 'preview' }])
  expect(link.paramsOf('import.push').map(({ base64 }) => atob(base64).length)).toEqual([999_999, 200_001])
  expect(screen.getByText(/it is not a conversation/)).toBeTruthy()
  fireEvent.click(button)
  await waitFor(() => expect(link.paramsOf('import.begin').at(-1)).toEqual({ mode: 'import' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Import 2 chats' })).toBeNull())
})

it('takes the several files of an archive that was unpacked as one, and names those of them that cannot be read', async () => {
  let ended = 0
  const link = await open({
    'import.end': () => {
      ended += 1
      if (ended % 3 === 2) throw new HostError('import.unreadable', 'There is no chat in this file.')
      return summary
    },
  })
  const files = ['conversations-000.json', 'user.json', 'conversations-001.json'].map((name) => new File(['x'], name))
  fireEvent.change(screen.getByLabelText('Import chats…'), { target: { files } })
  fireEvent.click(await screen.findByRole('button', { name: 'Import 4 chats' }))
  await screen.findByText(/^Imported 4 chats with 18 messages/)
  expect(screen.getByText(/user\.json/).textContent).toMatch(/There is no chat in this file/)
  expect(link.paramsOf('import.begin').map(({ mode }) => mode)).toEqual([...Array(3).fill('preview'), ...Array(3).fill('import')])
})

it('offers no import of a file without a chat, and says which to choose', async () => {
  const none = { ...summary, conversations: 0, messages: 0, already: 0, sources: [] }
  const link = await open({ 'import.push': () => none, 'import.end': () => none })
  choose('x')
  expect(await screen.findByText(/conversations\.json/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Import (?!chats…)/ })).toBeNull()
  // One that is there already is no reason to choose another.
  const there = { ...none, already: 3, broken: 0 }
  link.answer({ 'import.push': () => there, 'import.end': () => there })
  choose('x')
  expect(await screen.findByText(/Already imported: 3/)).toBeTruthy()
  expect(screen.queryByText(/conversations\.json/)).toBeNull()
})

it('says why a file cannot be read', async () => {
  const link = await open()
  link.answer({
    'import.push': () => {
      throw new HostError('import.unreadable', 'There is no chat in this file.')
    },
  })
  choose('x')
  expect(await screen.findByText('There is no chat in this file.')).toBeTruthy()
})

const facts = { bytes: 2_000_000, conversations: 3, messages: 40, changedAt: 1, permissions: [], digest: 'd1' }
const found = (kind: 'backup' | 'replaced', path: string, at: number) => ({ kind, path, at, bytes: 2_000_000 })

it('looks into a backup before it can be restored, and can leave it be again', async () => {
  let staged = false
  const link = await open({
    'backup.list': () => ({ backups: [found('backup', '/b/backups/assent-1.db', 2), found('replaced', '/b/assent.db.before', 1)], staged }),
    'backup.check': () => facts,
    'backup.restore': () => {
      staged = true
      return facts
    },
    'backup.unstage': () => {
      staged = false
      return {}
    },
  })
  const list = await screen.findByRole('list', { name: 'Backups' })
  expect(screen.queryByRole('button', { name: 'Restore it at the next start' })).toBeNull()
  fireEvent.click(within(list).getByRole('button', { name: /^Open “.*Replaced by a restore/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Restore it at the next start' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel restore' }))
  await screen.findByRole('list', { name: 'Backups' })
  expect([link.paramsOf('backup.check'), link.paramsOf('backup.restore')]).toEqual([
    [{ path: '/b/assent.db.before' }],
    [{ source: { path: '/b/assent.db.before' }, bring: [], digest: 'd1' }],
  ])
})

it('sends a backup of this machine in parts where no window of the system picks one, and forgets it when it is left', async () => {
  const link = await open({ 'backup.check': () => facts, 'backup.restore': () => facts }, { canChooseFolder: false })
  const pick = (name: string): boolean =>
    fireEvent.change(screen.getByLabelText('Choose a backup…'), { target: { files: [new File(['x'.repeat(1_200_000)], name)] } })
  pick('mine.db')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  pick('other.db')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore it at the next start' }))
  await waitFor(() => expect(link.paramsOf('backup.restore')).toHaveLength(1))
  const sent = link.paramsOf('backup.receive')
  expect(sent.map(({ name, at, total, base64 }) => [name, at, total, atob(base64).length])).toEqual(
    ['mine.db', 'other.db'].flatMap((name) => [
      [name, 0, 1_200_000, 999_999],
      [name, 999_999, 1_200_000, 200_001],
    ]),
  )
  expect(link.paramsOf('backup.forget')).toEqual([{ upload: sent[0]?.upload }])
  expect(link.paramsOf('backup.restore')).toEqual([{ source: { upload: sent[2]?.upload }, bring: [], digest: 'd1' }])
})

const lost = (): never => {
  throw new HostError('link.closed', 'The connection to Assent is lost.')
}
it.each(['backup.receive', 'backup.check'] as const)('goes on where an answer to %s was lost with the link', async (name) => {
  let times = 0
  const link = await open({}, { canChooseFolder: false })
  link.answer({
    'backup.restore': () => facts,
    [name]: () => {
      times += 1
      if (times > 1) return name === 'backup.check' ? facts : {}
      link.setStatus('closed')
      return lost()
    },
  })
  fireEvent.change(screen.getByLabelText('Choose a backup…'), { target: { files: [new File(['x'.repeat(1_200_000)], 'mine.db')] } })
  await waitFor(() => expect(times).toBe(1))
  link.setStatus('open')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore it at the next start' }))
  await waitFor(() => expect(link.paramsOf('backup.restore')).toHaveLength(1))
  expect(link.paramsOf('backup.receive').map(({ at }) => at)).toEqual(name === 'backup.check' ? [0, 999_999] : [0, 0, 999_999])
})

it('does not wait for a link that stays refused, and says so', async () => {
  const link = await open({}, { canChooseFolder: false })
  link.answer({ 'backup.check': lost })
  fireEvent.change(screen.getByLabelText('Choose a backup…'), { target: { files: [new File(['x'], 'mine.db')] } })
  expect(await screen.findByText('The connection to Assent is lost.')).toBeTruthy()
})

it('lists the permissions of a backup by kind and count, and brings those that are ticked', async () => {
  const permissions = [
    { kind: 'rules' as const, count: 3, names: [] },
    { kind: 'endpoints' as const, count: 1, names: ['https://models.example'] },
  ]
  const link = await open({ 'backup.check': () => ({ ...facts, permissions }), 'backup.restore': () => facts }, { canChooseFolder: false })
  const pick = (): boolean =>
    fireEvent.change(screen.getByLabelText('Choose a backup…'), { target: { files: [new File(['x'], 'mine.db')] } })
  pick()
  fireEvent.click(await screen.findByRole('checkbox', { name: /3 rules/ }))
  expect(screen.getByText('https://models.example')).toBeTruthy()
  // Another look into one begins anew.
  pick()
  await waitFor(() => expect((screen.getByRole('checkbox', { name: /3 rules/ }) as HTMLInputElement).checked).toBe(false))
  fireEvent.click(screen.getByRole('checkbox', { name: /endpoint/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Restore it at the next start' }))
  await waitFor(() => expect(link.paramsOf('backup.restore').map(({ bring }) => bring)).toEqual([['endpoints']]))
})

it('says why a backup of this machine is not taken', async () => {
  const refuse = (): never => {
    throw new HostError('backup.unreadable', 'diary.txt is not a complete backup.')
  }
  const link = await open({ 'backup.receive': refuse }, { canChooseFolder: false })
  fireEvent.change(screen.getByLabelText('Choose a backup…'), { target: { files: [new File(['x'], 'diary.txt')] } })
  expect(await screen.findByText('diary.txt is not a complete backup.')).toBeTruthy()
  expect(link.paramsOf('backup.check')).toEqual([])
})

it('says what all of it takes up, and measures again when a backup went, which is asked about first', async () => {
  let backups = [found('backup', '/b/backups/assent-1.db', 2)]
  const link = await open({
    'backup.list': () => ({ backups, staged: false }),
    'backup.diskUse': () => ({
      database: 3_000_000,
      attachments: 5000,
      unsent: 0,
      free: 0,
      backups: backups.length * 2_000_000,
      logs: 0,
      bundles: 0,
      rest: 0,
    }),
    'backup.remove': () => {
      backups = []
      return {}
    },
  })
  expect(await screen.findByText('5.0 MB')).toBeTruthy()
  expect(screen.getAllByRole('rowheader', { hidden: true })).toHaveLength(3)
  fireEvent.click(screen.getByRole('button', { name: /^Delete Backup of/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Keep' }))
  expect(link.paramsOf('backup.remove')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: /^Delete Backup of/, hidden: true }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete for good' }))
  expect(await screen.findByText('3.0 MB')).toBeTruthy()
  expect(link.paramsOf('backup.remove')).toEqual([{ path: '/b/backups/assent-1.db' }])
})

it('takes the path of a backup, without the spaces around it', async () => {
  const link = await open()
  const field = screen.getByRole('textbox', { name: 'A backup elsewhere', hidden: true })
  fireEvent.change(field, { target: { value: ' /b/assent.db ' } })
  fireEvent.submit(field)
  await screen.findByRole('button', { name: 'Restore it at the next start' })
  expect(link.paramsOf('backup.check')).toEqual([{ path: '/b/assent.db' }])
})

it('says how far a backup is, and stops it', async () => {
  let end: (error: Error) => void = () => undefined
  const link = await open({
    'backup.write': () =>
      new Promise<never>((_, reject) => {
        end = reject
      }),
    'app.chooseFolder': () => ({ path: '/b' }),
    'backup.progress': () => ({ kind: 'copying', share: 0.42 }),
    'backup.cancel': () => {
      end(new HostError('cancelled', 'It was stopped.'))
      return {}
    },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Back up…' }))
  await screen.findByRole('progressbar', { name: 'Backup' })
  expect(screen.getByRole('progressbar', { name: 'Backup' }).getAttribute('aria-valuenow')).toBe('42')
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
  expect(link.paramsOf('backup.cancel')).toEqual(link.paramsOf('backup.progress').slice(0, 1))
})

it('a data folder that could not be measured says so, in place of a wait without end', async () => {
  await open({
    'backup.diskUse': () => {
      throw new HostError('profile.unwritable', 'The disk does not answer.')
    },
  })
  await waitFor(() => expect(screen.getByText(/The disk does not answer/)).toBeTruthy())
})
