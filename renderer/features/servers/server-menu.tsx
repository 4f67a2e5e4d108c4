import type { ServerView } from '#app/server/view.ts'
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
    showToast(view, `${name} removed.`, { action: { label: 'Undo', run: () => go('config.save', { text: done.text }) } })
  }
  return (
    <Menu align="end" trigger={<IconButton label={`More about ${name}`} icon="more" small />}>
      {running.has(state.kind) ? (
        <>
          <MenuItem onSelect={() => void attempt('server.restart', { name })}>Restart</MenuItem>
          <MenuItem onSelect={() => go('server.stop', { name })}>Stop</MenuItem>
        </>
      ) : (
        <MenuItem disabled={!definition.enabled || state.kind === 'stopping'} onSelect={() => void attempt('server.start', { name })}>
          Start
        </MenuItem>
      )}
      <MenuSeparator />
      {definition.transport === 'builtin' ? null : <MenuItem onSelect={onEdit}>Edit…</MenuItem>}
      <MenuItem danger onSelect={() => void remove()}>
        Remove
      </MenuItem>
    </Menu>
  )
}
