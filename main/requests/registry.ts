import type { HandlersOf, HostParts } from './handlers.ts'

export const registryRequests = ({ registry }: HostParts): HandlersOf<'registry'> => ({
  'registry.find': ({ searcher, ...question }) => registry.find(searcher, question),
  'registry.server': ({ searcher, name, version }) => registry.server(searcher, name, version),
  'registry.cancel'({ searcher }) {
    registry.cancel(searcher)
    return {}
  },
})
