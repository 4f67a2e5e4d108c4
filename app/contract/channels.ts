// Channel names of Electron's IPC and commands of its menu. Apart from the schemas, which the sandboxed preload does not load.
export const channels = { request: 'assent:request', event: 'assent:event', command: 'assent:command' } as const

export type ShellCommand =
  | { readonly kind: 'new-chat' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'commands' }
  | { readonly kind: 'open-conversation'; readonly id: string }
