// What can be done with a log: copy it, save it, put it away.

import { logText } from '#app/server/log-text.ts'
import type { LogLine } from '#app/server/state.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { download } from '#renderer/ui/download.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { tx } from '#renderer/ui/translate.ts'

interface LogActionsProps {
  readonly name: string
  readonly all: readonly LogLine[]
  readonly shown: readonly LogLine[]
  readonly selection: readonly LogLine[]
  readonly onClear: () => void
}

const count = (lines: readonly LogLine[]): string => (lines.length === 1 ? t`one line` : t`${numberWords(lines.length)} lines`)

export function LogActions({ name, all, shown, selection, onClear }: LogActionsProps) {
  const { copy, ask } = useActions()
  const { view } = useStores()
  const shell = useConnection((state) => state.about?.shell.kind)
  const take = (lines: readonly LogLine[]): void =>
    void copy(logText(lines)).then((copied) => {
      if (copied) showToast(view, t`Copied ${count(lines)}.`)
    })
  const save = async (): Promise<void> => {
    // A window of ours downloads nothing; there the host writes the file.
    if (shell !== 'electron') return download(t`${name} log.txt`, [`${logText(all)}\n`])
    const saved = await ask('server.saveLog', { name })
    if (saved?.path) showToast(view, t`Saved as ${saved.path}`)
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`Copy, save or clear the log`} icon="more" small />}>
      <MenuItem onSelect={() => take(all)}>{t`Copy all`}</MenuItem>
      <MenuItem onSelect={() => take(shown)} disabled={shown.length === all.length || shown.length === 0}>
        {tx`Copy what is shown (${count(shown)})`}
      </MenuItem>
      <MenuItem onSelect={() => take(selection)} disabled={selection.length === 0}>
        {t`Copy the selected lines`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void save()}>{t`Save as a file`}</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={onClear}>{t`Clear`}</MenuItem>
    </Menu>
  )
}
