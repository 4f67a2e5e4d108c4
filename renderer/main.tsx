// The page's start: a link to the host, the stores over it, and React.
import './no-eval.ts'
import './language.ts'
import './ui/styles/all.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openHostConnection } from './host-connection/open-connection.ts'
import { loadAllPages, loadPageOf } from './pages/pages.ts'
import { parseRoute } from './router.ts'
import { followLanguage } from './shell/follow-language.ts'
import { tellShown } from './shell/report-visible-chat.ts'
import { followShellCommands } from './shell/shell-commands.ts'
import { createStores } from './stores/stores.ts'

const stores = createStores(openHostConnection())
window.addEventListener('pagehide', () => stores.drafts.keepAll())
followShellCommands(window.assent, stores.view)
followLanguage(stores.settings, () => window.location.reload())
// Whether they could be loaded the pages say themselves.
loadPageOf(parseRoute(window.location.hash)).catch(() => undefined)
tellShown(stores.link, stores.connection, () => void loadAllPages().catch(() => undefined))

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')
createRoot(root).render(<App stores={stores} />)
