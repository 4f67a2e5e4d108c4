// For looking at the page without a host: `?scene=<name>&theme=dark#/chat/c1`, served by `vite` at
// /testing/harness.html. Not part of the build, whose only entry is index.html.
import './marked-words.ts'
import '#renderer/ui/all.css'
import { createRoot } from 'react-dom/client'
import { App } from '#renderer/app.tsx'
import { createStores } from '#renderer/stores/stores.ts'
import { bundleScene } from './bundle-scenes.ts'
import { chatScenes } from './chat-scenes.ts'
import { comfortScenes } from './comfort-scenes.ts'
import { consentScenes } from './consent-scenes.ts'
import { handRunScenes } from './hand-run-scenes.ts'
import { historyScene } from './history-scenes.ts'
import { libraryManyScene, libraryScene } from './library-scenes.ts'
import { messageScene } from './message-scenes.ts'
import { noPromptsScene, promptScene } from './prompt-scenes.ts'
import { registryScenes } from './registry-scenes.ts'
import { scenes } from './scenes.ts'
import { talkScenes } from './talk-scenes.ts'
import { viewScenes } from './view-scenes.ts'
import { waysScenes } from './ways-scenes.ts'

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
const scene = {
  ...scenes,
  ...consentScenes,
  ...handRunScenes,
  ...waysScenes,
  ...viewScenes,
  ...chatScenes,
  ...talkScenes,
  ...registryScenes,
  ...comfortScenes,
  ...more,
}[query.get('scene') ?? 'chat']
const link = scene?.(query.get('theme') === 'dark' ? 'dark' : 'light')
const root = document.getElementById('root')
if (link && root) createRoot(root).render(<App stores={createStores(link)} />)
Object.assign(window, { link })
