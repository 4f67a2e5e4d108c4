import type { HandlersOf, HostContext } from '../request-handlers.ts'

export const registryHandlers = ({ registry }: HostContext): HandlersOf<'registry'> => ({
  'registry.find': ({ searcher, ...question }) => registry.find(searcher, question),
  'registry.server': ({ searcher, name, version }) => registry.server(searcher, name, version),
  'registry.cancel': ({ searcher }) => registry.cancel(searcher),
})

export const bundleHandlers = ({ bundles, deepLinks }: HostContext): HandlersOf<'bundle' | 'deepLink'> => ({
  'bundle.part': ({ upload, at, data }) => bundles.part(upload, at, Buffer.from(data, 'base64')),
  'bundle.open': ({ upload, file }) => bundles.open(upload, file),
  'bundle.download': ({ download, ...source }) => bundles.download(download, source),
  'bundle.stopDownload': ({ download }) => bundles.stopDownload(download),
  'bundle.view': ({ id }) => bundles.view(id),
  'bundle.close': ({ id }) => bundles.close(id),
  'bundle.install': ({ id, server, values }) => bundles.install(id, server, values),
  'bundle.update': ({ id, server, values }) => bundles.update(id, server, values),
  'bundle.configure': ({ server, values }) => bundles.configure(server, values),
  'bundle.goBack': ({ server }) => bundles.goBack(server),
  'bundle.accept': ({ server }) => bundles.accept(server),
  'bundle.installed': ({ server }) => ({ bundle: bundles.installed().find((one) => one.server === server) ?? null }),
  'deepLink.dismiss': ({ id }) => deepLinks.dismiss(id),
})
