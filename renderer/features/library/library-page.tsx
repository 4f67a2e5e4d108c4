// What servers offer, for the person's own hand: one shelf each for resources, prompts and tools. A shelf fills the frame.
import type { Route } from '#renderer/router.ts'
import { isLibraryTab } from './library-frame.tsx'
import { PromptsShelf } from './prompts/prompts-shelf.tsx'
import { ResourcesShelf } from './resources/resources-shelf.tsx'
import { ToolsShelf } from './tools/tools-shelf.tsx'

export type LibraryRoute = Extract<Route, { page: 'library' }>

export function LibraryPage({ route }: { readonly route: LibraryRoute }) {
  const tab = isLibraryTab(route.tab) ? route.tab : 'resources'
  switch (tab) {
    case 'resources':
      return <ResourcesShelf route={route} />
    case 'prompts':
      return <PromptsShelf route={route} />
    case 'tools':
      return <ToolsShelf route={route} />
  }
}
