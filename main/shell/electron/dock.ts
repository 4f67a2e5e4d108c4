// What has no window stays out of a Mac's Dock from the start: this is done before the rest of the app is loaded.
import { app } from 'electron'
import { hasStartCommand, isAgentCommand } from './start-options.ts'

/** Call first. An agent's process never has a window; the app that an agent starts shows its icon with its first one. */
export function stayOutOfDock(args: readonly string[], os: NodeJS.Platform = process.platform): void {
  if (os !== 'darwin') return
  if (isAgentCommand(args)) app.setActivationPolicy('prohibited')
  else if (hasStartCommand(args, 'for-agents')) app.dock?.hide()
}
