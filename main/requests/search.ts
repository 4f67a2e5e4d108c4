import type { HandlersOf, HostParts } from './handlers.ts'

export const searchRequests = (host: HostParts): HandlersOf<'search'> => ({
  'search.find': ({ searcher, ...params }) => host.store.search.find(searcher, params),
})
