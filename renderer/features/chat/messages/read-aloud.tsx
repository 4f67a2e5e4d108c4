// Reads answers aloud by a voice of this computer. A voice that is not local sends the text to its maker, so none is offered, and a
// stored one that is no longer local stays silent. Off until the person chooses a voice.

import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useSettings } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'

const none: readonly SpeechSynthesisVoice[] = []
let known: readonly SpeechSynthesisVoice[] = none

/** Reads the voices; the same list while they stay, as `useSyncExternalStore` needs. */
function readVoices(): readonly SpeechSynthesisVoice[] {
  const voices = 'speechSynthesis' in window ? speechSynthesis.getVoices().filter(({ localService }) => localService) : none
  const isSame = voices.length === known.length && voices.every(({ voiceURI }, index) => voiceURI === known[index]?.voiceURI)
  if (!isSame) known = voices
  return known
}

function onVoices(listener: () => void): () => void {
  if (!('speechSynthesis' in window)) return () => {}
  speechSynthesis.addEventListener('voiceschanged', listener)
  return () => speechSynthesis.removeEventListener('voiceschanged', listener)
}

/** Voices that read on this computer alone; browsers list them late. */
export const useLocalVoices = (): readonly SpeechSynthesisVoice[] => useSyncExternalStore(onVoices, readVoices)

/** Paragraphs of an answer to be spoken: without code, marks, addresses and tables' lines. */
export function spokenParagraphs(markdown: string): string[] {
  return markdown
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, '\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, '')
    .replace(/^[ \t|:-]*-[ \t|:-]*$/gm, '')
    .replace(/[*_`~|]+/g, ' ')
    .split(/\n{2,}/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

export function ReadAloudButton({ text }: { readonly text: () => string }) {
  const chosen = useSettings((state) => state.settings.voice)
  const voice = useLocalVoices().find(({ voiceURI }) => voiceURI === chosen)
  const [speaking, setSpeaking] = useState(false)
  // Another answer, another chat: nobody is left to stop it.
  useEffect(() => (speaking ? () => speechSynthesis.cancel() : undefined), [speaking])
  if (!voice) return null
  const start = (): void => {
    const paragraphs = spokenParagraphs(text())
    speechSynthesis.cancel()
    for (const [index, part] of paragraphs.entries()) {
      const utterance = new SpeechSynthesisUtterance(part)
      utterance.voice = voice
      utterance.lang = voice.lang
      utterance.onerror = () => setSpeaking(false)
      if (index === paragraphs.length - 1) utterance.onend = () => setSpeaking(false)
      speechSynthesis.speak(utterance)
    }
    setSpeaking(paragraphs.length > 0)
  }
  return (
    <IconButton
      small
      data-read-aloud=""
      icon={speaking ? 'stop' : 'play'}
      label={speaking ? t`Stop reading` : t`Read aloud`}
      onClick={() => (speaking ? setSpeaking(false) : start())}
    />
  )
}
