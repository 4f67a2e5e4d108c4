import { done, type HandlersOf, type HostContext } from '../request-handlers.ts'

export const registryHandlers = ({ registry }: HostContext): HandlersOf<'registry'> => ({
  'registry.find': ({ searcher, ...question }) => registry.find(searcher, question),
  'registry.server': ({ searcher, name, version }) => registry.server(searcher, name, version),
  'registry.cancel': ({ searcher }) => done(registry.cancel(searcher)),
})

export const bundleHandlers = ({ bundles, deepLinks }: HostContext): HandlersOf<'bundle' | 'deepLink'> => ({
  'bundle.part': ({ upload, at, data }) => done(bundles.part(upload, at, Buffer.from(data, 'base64'))),
  'bundle.open': ({ upload, file }) => bundles.open(upload, file),
  'bundle.download': ({ download, ...source }) => bundles.download(download, source),
  'bundle.stopDownload': ({ download }) => done(bundles.stopDownload(download)),
  'bundle.view': ({ id }) => bundles.view(id),
  'bundle.close': ({ id }) => done(bundles.close(id)),
  'bundle.install': ({ id, server, values }) => done(bundles.install(id, server, values)),
  'bundle.update': ({ id, server, values }) => done(bundles.update(id, server, values)),
  'bundle.configure': ({ server, values }) => done(bundles.configure(server, values)),
  'bundle.goBack': ({ server }) => done(bundles.goBack(server)),
  'bundle.accept': ({ server }) => done(bundles.accept(server)),
  'bundle.installed': ({ server }) => ({ bundle: bundles.installed().find((one) => one.server === server) ?? null }),
  'deepLink.dismiss': ({ id }) => done(deepLinks.dismiss(id)),
})
