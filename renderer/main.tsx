// Starts the page: a connection to the host, the stores over it, and React.
import { guessedOs } from './appearance.ts'
import './language.ts'
import '@fontsource-variable/inter/wght.css'
import './ui/styles/all.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openHostConnection } from './host-connection/open-connection.ts'
import { followShellCommands } from './navigation/shortcuts.ts'
import { loadAllPages, loadPageOf } from './pages/pages.ts'
import { parseRoute } from './router.ts'
import { createStores } from './stores/stores.ts'
import { followLanguage } from './translations.ts'

// The typeface is on its way while the page connects; until it is there the system's font stands in.
if (guessedOs === 'linux') document.fonts.load('13px "Inter Variable"').catch(() => undefined)

const stores = createStores(openHostConnection())
window.addEventListener('pagehide', () => stores.drafts.keepAll())
followShellCommands(window.assent, stores.view)
followLanguage(stores.settings, () => window.location.reload())
// The pages show a failed load themselves.
loadPageOf(parseRoute(window.location.hash)).catch(() => undefined)

const stopWaiting = stores.connection.subscribe(({ about }) => {
  if (about === undefined) return
  stopWaiting()
  // The timer runs after the frame of the first paint. A page in the background paints nothing: the host waits only briefly.
  requestAnimationFrame(() =>
    setTimeout(() => {
      stores.hostConnection.request('app.shown', {}).catch(() => undefined) // Nobody waits for it.
      loadAllPages().catch(() => undefined)
    }),
  )
})

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')
createRoot(root).render(<App stores={stores} />)
