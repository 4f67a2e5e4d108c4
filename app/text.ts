// Small helpers on text that several places share.
import { t } from './words/translate.ts'

/** The mark of two letters that stands for a server: initials of its first two words, else its first two letters. */
export function serverMark(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? `${[...(words[0] ?? '')][0]}${[...(words[1] ?? '')][0]}` : [...(words[0] ?? '?')].slice(0, 2).join('')
  return letters.toLowerCase()
}

/** Bytes as people read them: 812 B, 3.1 KB, 2.0 MB (powers of 1,000). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  for (const [unit, size] of [
    ['KB', 1e3],
    ['MB', 1e6],
    ['GB', 1e9],
  ] as const) {
    const value = bytes / size
    if (value < 999.5) return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
  }
  return t`${(bytes / 1e12).toFixed(1)} TB`
}

/** Milliseconds as people read them: 40 ms, 0.4 s, 12 s, 3 min, 6 h 12 min. */
export function formatDuration(ms: number): string {
  if (ms < 100) return t`${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return t`${minutes} min`
  const rest = minutes % 60
  return rest ? t`${Math.floor(minutes / 60)} h ${rest} min` : `${minutes / 60} h`
}

/** A rough count of tokens (four characters each), for showing what tools cost; never for billing. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4)

/** The last part of a path, without what Windows appends. */
export const programName = (command: string): string => (command.split(/[\\/]/).at(-1) || command).replace(/\.(exe|cmd|bat)$/i, '')
