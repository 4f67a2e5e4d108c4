// The page's start: a link to the host, the stores over it, and React.
import '#renderer/ui/all.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app.tsx'
import { openLink } from './link/open-link.ts'
import { createStores } from './stores/stores.ts'

// The page's CSP forbids eval; without this zod would try it and the refusal would show in the console.
z.config({ jitless: true })

const stores = createStores(openLink())
window.addEventListener('pagehide', () => stores.drafts.keepAll())

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')
createRoot(root).render(<App stores={stores} />)
