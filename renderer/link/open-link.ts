import type { HostLink, PreloadBridge } from '#app/contract/link.ts'
import { createBridgeLink } from './bridge-link.ts'
import { keepPageKey } from './page-key.ts'
import { createWebLink } from './web-link.ts'

declare global {
  interface Window {
    readonly assent?: PreloadBridge
  }
}

/** The preload's bridge where there is one (Electron), else a WebSocket to where the page came from. */
export function openLink(): HostLink {
  if (window.assent) return createBridgeLink(window.assent)
  keepPageKey()
  return createWebLink(window.location.origin)
}
