import type { HandlersOf, HostParts } from './handlers.ts'

export const appRequests = (host: HostParts): HandlersOf<'app'> => ({
  'app.snapshot': ({ open }) => host.snapshot(open),
  'app.shown'() {
    host.shown()
    return {}
  },
  async 'app.openUrl'({ url }) {
    return { by: await host.platform.openUrl(host.broker.clickedUrl(url)) }
  },
  async 'app.chooseFolder'({ title }) {
    return { path: await host.platform.chooseFolder(title) }
  },
  'app.readEnvironment': () => host.servers.readEnvironment(),
})
