import type { HandlersOf, HostContext } from '../request-handlers.ts'

export const registryHandlers = ({ registry }: HostContext): HandlersOf<'registry'> => ({
  'registry.find': ({ searcher, ...question }) => registry.find(searcher, question),
  'registry.server': ({ searcher, name, version }) => registry.server(searcher, name, version),
  'registry.cancel'({ searcher }) {
    registry.cancel(searcher)
    return {}
  },
})

export const bundleHandlers = ({ bundles, deepLinks }: HostContext): HandlersOf<'bundle' | 'outside'> => ({
  async 'bundle.part'({ upload, at, data }) {
    await bundles.part(upload, at, Buffer.from(data, 'base64'))
    return {}
  },
  'bundle.open': ({ upload, file }) => bundles.open(upload, file),
  'bundle.download': ({ download, ...source }) => bundles.download(download, source),
  'bundle.stopDownload'({ download }) {
    bundles.stopDownload(download)
    return {}
  },
  'bundle.view': ({ id }) => bundles.view(id),
  async 'bundle.close'({ id }) {
    await bundles.close(id)
    return {}
  },
  async 'bundle.install'({ id, server, values }) {
    await bundles.install(id, server, values)
    return {}
  },
  async 'bundle.update'({ id, server, values }) {
    await bundles.update(id, server, values)
    return {}
  },
  async 'bundle.configure'({ server, values }) {
    await bundles.configure(server, values)
    return {}
  },
  async 'bundle.goBack'({ server }) {
    await bundles.goBack(server)
    return {}
  },
  async 'bundle.accept'({ server }) {
    await bundles.accept(server)
    return {}
  },
  'bundle.installed': ({ server }) => ({ bundle: bundles.installed().find((one) => one.server === server) ?? null }),
  'outside.dismiss'({ id }) {
    deepLinks.dismiss(id)
    return {}
  },
})
