// Commands from Electron's menu and from its notifications. The web shell has none.
import type { ShellCommand } from '#app/contract/channels.ts'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import { navigate, type Route } from '#renderer/router.ts'
import type { ViewStore } from '#renderer/stores/view-state.ts'

function routeOf(command: Exclude<ShellCommand, { kind: 'commands' }>): Route {
  switch (command.kind) {
    case 'new-chat':
      return { page: 'chat' }
    case 'settings':
      return { page: 'settings' }
    case 'open-conversation':
      return { page: 'chat', id: command.id }
  }
}

/** Follows the commands of the shell. Returns its undo. */
export const followShellCommands = (bridge: PreloadBridge | undefined, view: ViewStore): (() => void) =>
  bridge?.onCommand?.((command) => {
    if (command.kind === 'commands') view.setState(({ commandsOpen }) => ({ commandsOpen: !commandsOpen }))
    else navigate(routeOf(command))
  }) ?? (() => undefined)
