// What the person chooses outside the page, in Electron's menu or by a notification. In the web shell there is nothing to
// follow.
import type { ShellCommand } from '#app/contract/channels.ts'
import type { PreloadBridge } from '#app/contract/link.ts'
import { navigate, type Route } from '#renderer/router.ts'

function routeOf(command: ShellCommand): Route {
  switch (command.kind) {
    case 'new-chat':
      return { page: 'chat' }
    case 'settings':
      return { page: 'settings' }
    case 'open-conversation':
      return { page: 'chat', id: command.id }
  }
}

/** Returns its undo. */
export const followShellCommands = (bridge: PreloadBridge | undefined): (() => void) =>
  bridge?.onCommand?.((command) => navigate(routeOf(command))) ?? (() => undefined)
