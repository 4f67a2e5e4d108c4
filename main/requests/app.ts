import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
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
  'app.openWindow'() {
    if (!host.platform.openWindow) throw new HostError('platform.unavailable', t`This shell has no windows of its own.`)
    host.platform.openWindow()
    return {}
  },
  async 'app.chooseFile'({ title }) {
    return { path: await host.platform.chooseFile(title) }
  },
  async 'app.chooseFolder'({ title }) {
    return { path: await host.platform.chooseFolder(title) }
  },
  'app.readEnvironment': () => host.servers.readEnvironment(),
})
