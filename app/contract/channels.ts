// Channel names of Electron's IPC and commands of its menu. Apart from the schemas, which the sandboxed preload does not load.
export const channels = { request: 'assent:request', event: 'assent:event', command: 'assent:command' } as const

/** `go`: to a route, written as the fragment of its address (`#/chat`). */
export type ShellCommand = { readonly kind: 'commands' } | { readonly kind: 'go'; readonly hash: string }
