import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'

const running = new Set(['starting', 'ready', 'waiting'])

/** By hand: start, stop, restart, edit, remove. How a start ends is shown as the server's state, so a failure is not said twice. */
export function ServerMenu({ server, onEdit }: { readonly server: ServerView; readonly onEdit: () => void }) {
  const { attempt, ask, go } = useActions()
  const { view } = useStores()
  const { name, definition, state } = server
  const remove = async (): Promise<void> => {
    const done = await ask('server.remove', { name })
    if (!done) return
    navigate({ page: 'servers' })
    showToast(view, t`“${name}” removed.`, { action: { label: t`Undo`, run: () => go('config.save', { text: done.text }) } })
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`More about “${name}”`} icon="more" small />}>
      {running.has(state.kind) ? (
        <>
          <MenuItem onSelect={() => void attempt('server.restart', { name })}>{t`Restart`}</MenuItem>
          <MenuItem onSelect={() => go('server.stop', { name })}>{t`Stop`}</MenuItem>
        </>
      ) : (
        <MenuItem disabled={!definition.enabled || state.kind === 'stopping'} onSelect={() => void attempt('server.start', { name })}>
          {t`Start`}
        </MenuItem>
      )}
      <MenuSeparator />
      {definition.transport === 'builtin' ? null : <MenuItem onSelect={onEdit}>{t`Edit…`}</MenuItem>}
      <MenuItem danger onSelect={() => void remove()}>
        {t`Remove`}
      </MenuItem>
    </Menu>
  )
}
