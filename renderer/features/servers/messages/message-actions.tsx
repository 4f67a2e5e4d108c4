// What can be done with all messages: copy them, save them, clear them.

import { messageLines, type WireMessage } from '#app/server/wire-message.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { download } from '#renderer/ui/download.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'

interface MessageActionsProps {
  readonly name: string
  readonly all: readonly WireMessage[]
  readonly shown: readonly WireMessage[]
}

const count = ({ length }: readonly WireMessage[]): string => (length === 1 ? t`one message` : t`${numberWords(length)} messages`)

export function MessageActions({ name, all, shown }: MessageActionsProps) {
  const { copy, ask, go } = useActions()
  const { view } = useStores()
  const shell = useConnection((state) => state.about?.shell.kind)
  const take = (messages: readonly WireMessage[]): void =>
    void copy(messageLines(messages)).then((copied) => {
      if (copied) showToast(view, t`Copied ${count(messages)} as JSON Lines.`)
    })
  const save = async (): Promise<void> => {
    // A window of ours downloads nothing; there the host writes the file.
    if (shell !== 'electron') return download(t`${name} messages.jsonl`, [messageLines(all)])
    const saved = await ask('server.saveMessages', { name })
    if (saved?.path) showToast(view, t`Saved as ${saved.path}`)
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`Copy, save or clear the messages`} icon="more" small />}>
      <MenuItem onSelect={() => take(shown)} disabled={shown.length === 0}>
        {shown.length === all.length ? t`Copy all as JSON Lines` : t`Copy what is shown (${count(shown)}) as JSON Lines`}
      </MenuItem>
      <MenuItem onSelect={() => void save()} disabled={all.length === 0}>
        {t`Save all as JSON Lines`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => go('server.clearMessages', { name })} disabled={all.length === 0}>
        {t`Clear`}
      </MenuItem>
    </Menu>
  )
}
