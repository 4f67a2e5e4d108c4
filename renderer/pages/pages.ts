// All pages but the empty chat. Their code is fetched once the first page is painted, or at once when the address names one of
// them, so that neither the start nor a later navigation waits for it.
import { createElement } from 'react'
import type { Route } from '#renderer/router.ts'
import { lazyPage, MenuNotLoaded } from './lazy-page.tsx'

export const LazyOpenChat = lazyPage(async () => (await import('#renderer/features/chat/open-chat.tsx')).OpenChat)
/** Servers of other apps, on the start page; its other buttons are there at once. */
export const LazyImportReview = lazyPage(
  async () => (await import('#renderer/features/servers/import/import-dialog.tsx')).ImportStep,
  ({ children }) => createElement('div', { className: 'row wrap' }, children),
)
export const LazyFolderPage = lazyPage(async () => (await import('#renderer/features/history/folder-page.tsx')).FolderPage)

export const LazyQuickEntry = lazyPage(async () => (await import('#renderer/features/quick-entry/quick-entry-page.tsx')).QuickEntryPage)

/** Bar above the page while deep links or opened files wait. */
export const LazyDeepLinkBar = lazyPage(
  async () => (await import('#renderer/features/servers/add/deep-link-bar.tsx')).DeepLinkBar,
  () => null,
)

export const LazyCommandMenu = lazyPage(
  async () => (await import('#renderer/features/command-menu/command-menu.tsx')).CommandMenu,
  MenuNotLoaded,
)

/** Pages that are given their route. */
export const routePages = {
  activity: lazyPage(async () => (await import('#renderer/features/audit-log/audit-log-page.tsx')).AuditLogPage),
  chats: lazyPage(async () => (await import('#renderer/features/history/chats-page.tsx')).ChatsPage),
  library: lazyPage(async () => (await import('#renderer/features/library/library-page.tsx')).LibraryPage),
  registry: lazyPage(async () => (await import('#renderer/features/registry/registry-page.tsx')).RegistryPage),
  requests: lazyPage(async () => (await import('#renderer/features/requests/requests-page.tsx')).RequestsPage),
  search: lazyPage(async () => (await import('#renderer/features/search/search-page.tsx')).SearchPage),
  servers: lazyPage(async () => (await import('#renderer/features/servers/servers-page.tsx')).ServersPage),
  settings: lazyPage(async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage),
} as const

const pages: Readonly<Record<Route['page'], { readonly load: () => Promise<void> }>> = {
  chat: LazyOpenChat,
  folder: LazyFolderPage,
  quick: LazyQuickEntry,
  ...routePages,
}

/** Fetches the code of all pages one after the other, so that input comes between. */
export async function loadAllPages(): Promise<void> {
  for (const page of [...Object.values(pages), LazyCommandMenu, LazyDeepLinkBar]) await page.load()
}

/** Fetches the code that an address needs before it can be painted. */
export async function loadPageOf(route: Route): Promise<void> {
  if (route.page !== 'chat' || route.id !== undefined) await pages[route.page].load()
}
