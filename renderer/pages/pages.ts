// The pages beside the empty chat. Their code comes when the first page is painted, or at once when the address names one of
// them, so that no start waits for all of it and nobody who goes to one waits for its code.
import { MenuNotLoaded } from '#renderer/features/command-menu/menu-not-loaded.tsx'
import type { Route } from '#renderer/router.ts'
import { laterPage } from './later-page.tsx'

export const OpenChat = laterPage(async () => (await import('#renderer/features/chat/open-chat.tsx')).OpenChat)
export const ChatsPage = laterPage(async () => (await import('#renderer/features/history/chats-page.tsx')).ChatsPage)
export const FolderPage = laterPage(async () => (await import('#renderer/features/history/folder-page.tsx')).FolderPage)
export const LibraryPage = laterPage(async () => (await import('#renderer/features/library/library-page.tsx')).LibraryPage)
export const RecordPage = laterPage(async () => (await import('#renderer/features/record/record-page.tsx')).RecordPage)
export const RegistryPage = laterPage(async () => (await import('#renderer/features/registry/registry-page.tsx')).RegistryPage)
export const RequestsPage = laterPage(async () => (await import('#renderer/features/requests/requests-page.tsx')).RequestsPage)
export const SearchPage = laterPage(async () => (await import('#renderer/features/search/search-page.tsx')).SearchPage)
export const ServersPage = laterPage(async () => (await import('#renderer/features/servers/servers-page.tsx')).ServersPage)
export const SettingsPage = laterPage(async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage)

/** Not a page: it stands above one, when something waits there. */
export const OutsideBar = laterPage(
  async () => (await import('#renderer/features/bundles/outside-bar.tsx')).OutsideBar,
  () => null,
)

/** Nor this: it opens over one. */
export const CommandMenu = laterPage(
  async () => (await import('#renderer/features/command-menu/command-menu.tsx')).CommandMenu,
  MenuNotLoaded,
)

const pages: Readonly<Record<Route['page'], { readonly load: () => Promise<void> }>> = {
  chat: OpenChat,
  chats: ChatsPage,
  folder: FolderPage,
  library: LibraryPage,
  record: RecordPage,
  registry: RegistryPage,
  requests: RequestsPage,
  search: SearchPage,
  servers: ServersPage,
  settings: SettingsPage,
}

/** The code of all of them, one after the other, so that what somebody does meanwhile comes between. */
export async function loadPages(): Promise<void> {
  for (const page of [...Object.values(pages), CommandMenu, OutsideBar]) await page.load()
}

/** What an address needs before it can be painted. */
export async function loadPageOf(route: Route): Promise<void> {
  if (route.page !== 'chat' || route.id !== undefined) await pages[route.page].load()
}
