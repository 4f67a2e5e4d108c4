// For looking at the page without a host: `?scene=<name>&theme=dark#/chat/c1`, served by `vite` at
// /testing/harness.html. Not part of the build, whose only entry is index.html.
import './marked-words.ts'
import '@fontsource-variable/inter/wght.css'
import '#renderer/ui/styles/all.css'
import { createRoot } from 'react-dom/client'
import { App } from '#renderer/app.tsx'
import { createStores } from '#renderer/stores/stores.ts'
import { scenes } from './stories/all-stories.ts'
import { bundleScene } from './stories/bundles.stories.ts'
import { chatScenes } from './stories/chat.stories.ts'
import { consentScenes } from './stories/consent.stories.ts'
import { talkScenes } from './stories/conversation.stories.ts'
import { desktopScenes } from './stories/desktop.stories.ts'
import { historyScene } from './stories/history.stories.ts'
import { waysScenes } from './stories/install.stories.ts'
import { libraryManyScene, libraryScene } from './stories/library.stories.ts'
import { manualRunScenes } from './stories/manual-runs.stories.ts'
import { mcpAppScenes } from './stories/mcp-apps.stories.ts'
import { messageScene } from './stories/messages.stories.ts'
import { noPromptsScene, promptScene } from './stories/prompts.stories.ts'
import { registryScenes } from './stories/registry.stories.ts'
import { sandboxScenes } from './stories/sandbox.stories.ts'
import { comfortScenes } from './stories/settings.stories.ts'

const query = new URLSearchParams(window.location.search)
const more = {
  history: historyScene,
  prompts: promptScene,
  'prompts-none': noPromptsScene,
  bundle: bundleScene('electron'),
  'bundle-first': bundleScene('web', 'first'),
  'bundle-doubtful': bundleScene('electron', 'doubtful'),
  library: libraryScene,
  'library-many': libraryManyScene,
  messages: messageScene(1),
  'messages-many': messageScene(150),
  'messages-off': messageScene(0, 'off'),
}
const all = {
  ...scenes,
  ...consentScenes,
  ...manualRunScenes,
  ...waysScenes,
  ...mcpAppScenes,
  ...chatScenes,
  ...talkScenes,
  ...registryScenes,
  ...comfortScenes,
  ...sandboxScenes,
  ...desktopScenes,
  ...more,
}
const name = query.get('scene') ?? 'chat'
const link = Object.entries(all).find(([one]) => one === name)?.[1](query.get('theme') === 'dark' ? 'dark' : 'light')
const root = document.getElementById('root')
// An unknown name shows the known ones in place of an empty page.
if (!link) document.body.textContent = Object.keys(all).join('  ')
if (link && root) createRoot(root).render(<App stores={createStores(link)} />)
Object.assign(window, { link })
