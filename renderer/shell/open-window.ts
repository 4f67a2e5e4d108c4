import type { Stores } from '#renderer/stores/stores.ts'

/** One more window on the same host, at a new chat. In a browser it is a tab of its own. */
export function openWindow({ actions, connection }: Pick<Stores, 'actions' | 'connection'>): void {
  if (connection.getState().about?.shell.kind === 'electron') actions.go('app.openWindow', {})
  else window.open(`${window.location.pathname}#/chat`, '_blank', 'noopener')
}
