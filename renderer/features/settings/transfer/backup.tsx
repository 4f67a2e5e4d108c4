// One file with the whole database. A restored one takes its place at the next start.
import { useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'

type Facts = RequestResult<'backup.check'>

export function Backup() {
  const { ask } = useActions()
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const [busy, setBusy] = useState(false)
  const [written, setWritten] = useState<RequestResult<'backup.write'> | undefined>(undefined)
  const write = async (): Promise<void> => {
    const chosen = canChoose ? await ask('app.chooseFolder', { title: t`Where to keep the backup` }) : undefined
    if (canChoose && !chosen?.path) return
    setWritten(await ask('backup.write', chosen?.path ? { folder: chosen.path } : {}))
  }
  const press = (): void => {
    if (busy) return
    setBusy(true)
    void write().finally(() => setBusy(false))
  }
  return (
    <>
      <span className="row wrap">
        <Button size="sm" aria-disabled={busy} onClick={press}>
          {busy && <Spinner />}
          {tx`Back up${canChoose ? '…' : t` into the data folder`}`}
        </Button>
      </span>
      <span role="status">
        {busy && t`Writing. Assent goes on meanwhile.`}
        {written && !busy && (
          <span className="row wrap">
            <span className="mono wrap-any">{written.path}</span> <CopyButton label={t`Copy the path`} text={written.path} />
            {factWords(written)}
          </span>
        )}
      </span>
      <span className="help">{t`Chats, settings, rules and the record in one file, checked. Keys and other secrets are not in it.`}</span>
      <Restore />
    </>
  )
}

const factWords = ({ bytes, conversations, messages }: Facts): string =>
  t`${formatBytes(bytes)}, ${conversations.toLocaleString('en')} chats, ${messages.toLocaleString('en')} messages`

function Restore() {
  const { ask } = useActions()
  const [path, setPath] = useState('')
  const [checked, setChecked] = useState<Facts | undefined>(undefined)
  const [staged, setStaged] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = (work: () => Promise<void>): void => {
    if (busy || path.trim() === '') return
    setBusy(true)
    void work().finally(() => setBusy(false))
  }
  const check = (): void => run(async () => setChecked(await ask('backup.check', { path: path.trim() })))
  const restore = (): void => run(async () => setStaged((await ask('backup.restore', { path: path.trim() })) !== undefined))
  return (
    <>
      <span className="row wrap">
        <TextInput
          mono
          aria-label={t`Path of a backup`}
          placeholder={t`Path of a backup`}
          value={path}
          onChange={({ target }) => {
            setPath(target.value)
            setChecked(undefined)
            setStaged(false)
          }}
        />
        <Button size="sm" aria-disabled={busy || path.trim() === ''} onClick={check}>
          {busy && <Spinner />}
          {t`Check`}
        </Button>
      </span>
      <span role="status">
        {staged
          ? t`It takes the place of what is here when Assent starts next: quit Assent and start it again. What is here now is kept beside it.`
          : checked && t`It is whole: ${factWords(checked)}.`}
      </span>
      {checked && !staged && (
        <span className="row">
          <Button size="sm" aria-disabled={busy} onClick={restore}>
            {t`Restore it at the next start`}
          </Button>
        </span>
      )}
    </>
  )
}
