// How a conversation asks, in words.
import type { ConsentMode } from '#app/consent/mode.ts'

export const modeWords: Record<ConsentMode, { readonly name: string; readonly help: string }> = {
  rules: { name: 'Ask by my rules', help: 'What no rule of yours answers is asked.' },
  'ask-all': { name: 'Ask for all', help: 'Also what a rule would allow.' },
  'ask-writes': { name: 'Ask for writes', help: 'Tools that only read run, where you trust their server. The rest as your rules say.' },
  'rules-only': { name: 'Only what rules allow', help: 'The rest is denied, and you are not asked.' },
}
export const modes = Object.keys(modeWords) as readonly ConsentMode[]
