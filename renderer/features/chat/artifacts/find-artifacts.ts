// Artifacts of a chat: fenced blocks of its answers that open beside it. Every block of HTML, SVG, Mermaid or CSV is one, any other
// from `longCode` lines on. Blocks of the same language and title are versions of one artifact, in the order of the chat; the
// n-th untitled block of a language in an answer is a version of the n-th in the answers before.
import type { Message } from '#app/chat/message.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import type { ArtifactPlace } from '#renderer/stores/view-state.ts'
import { grammarName } from '../code/code-block.tsx'
import { type ReadFence, readFence, splitBlocks } from '../markdown/block-pieces.ts'
import { weakMemo } from '../markdown/weak-memo.ts'

const kinds = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  svg: 'svg',
  mermaid: 'mermaid',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
} as const
export type ArtifactKind = (typeof kinds)[keyof typeof kinds] | 'code'

/** Lines from which any block is an artifact, and one that is drawn stands as a card in the chat. */
const longCode = 15

export interface ArtifactBlock {
  readonly kind: ArtifactKind
  /** Name of the grammar; '' where the block names none. */
  readonly language: string
  readonly title: string | undefined
  readonly code: string
  /** Whether the block is whole. */
  readonly closed: boolean
  readonly lines: number
}

export type ArtifactVersion = ArtifactBlock & ArtifactPlace

export interface Artifact {
  readonly key: string
  /** Oldest first; never empty. */
  readonly versions: readonly ArtifactVersion[]
}

export const isSamePlace = (a: ArtifactPlace, b: ArtifactPlace): boolean =>
  a.messageId === b.messageId && a.part === b.part && a.start === b.start

const isKnown = (language: string): language is keyof typeof kinds => Object.hasOwn(kinds, language)

function kindOf(language: string, code: string): ArtifactKind {
  if (isKnown(language)) return kinds[language]
  return language === 'xml' && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(code) ? 'svg' : 'code'
}

/** Reads a fence; undefined: not an artifact. `before`: the text before it, whose last line may name it. */
export function readArtifact({ language: written, info, code, closed }: ReadFence, before = ''): ArtifactBlock | undefined {
  const language = grammarName(written)
  const kind = kindOf(language, code)
  const lines = code === '' ? 0 : code.split('\n').length
  if ((kind === 'code' || kind === 'markdown') && lines < longCode) return undefined
  const title = tidy(titleOfInfo(info) ?? titleOfCode(kind, code) ?? nameBefore(before))
  return { kind, language, title, code, closed, lines }
}

/** Whether the chat shows a card in place of the block. A page or drawing that is being written will most likely be long. */
export const hasCard = ({ kind, lines, closed }: ArtifactBlock): boolean =>
  kind !== 'code' && kind !== 'mermaid' && (lines >= longCode || (!closed && (kind === 'html' || kind === 'svg')))

const longestTitle = 80

function tidy(title: string | undefined): string | undefined {
  const text = title?.replace(/\s+/g, ' ').trim().slice(0, longestTitle)
  return text === '' ? undefined : text
}

const fileName = /[\w.+-]+\.[a-z][a-z0-9]{0,9}/i

/** Title in the line that opens a fence: `html title="Spend"`, `html:spend.html`, `html spend.html`. */
function titleOfInfo(info: string): string | undefined {
  const [, quoted, bare] = /\b(?:title|name|file|filename)=(?:"([^"]*)"|'?([^\s"']+)'?)/i.exec(info) ?? []
  return quoted ?? bare ?? new RegExp(`[:\\s](${fileName.source})$`, 'i').exec(info)?.[1]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
const decoded = (text: string | undefined): string | undefined =>
  text?.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')

function titleOfCode(kind: ArtifactKind, code: string): string | undefined {
  const head = code.slice(0, 2000)
  const first = head.trimStart().split('\n', 1)[0] ?? ''
  if (kind === 'html' || kind === 'svg') return decoded(/<title[^>]*>([^<]+)<\/title>/i.exec(head)?.[1])
  if (kind === 'mermaid') return /^\s*(?:accTitle|title)\s*:?\s+(.+)$/im.exec(head)?.[1]
  if (kind === 'markdown') return /^#{1,3}\s+(.+)$/m.exec(head)?.[1]
  return new RegExp(`^(?://|#|--|/\\*|;|%)\\s*(?:file(?:name)?:\\s*)?(${fileName.source})\\s*(?:\\*/)?$`, 'i').exec(first)?.[1]
}

/** File name in the line before a block, where that line is little else: `**spend.html**`, `### spend.html`. */
function nameBefore(before: string): string | undefined {
  const line = before.trimEnd().split('\n').at(-1) ?? ''
  return new RegExp(`^(?:#+\\s*)?[*_\`]*(?:file:?\\s*)?[*_\`]*(${fileName.source})[*_\`]*:?[*_\`]*$`, 'i').exec(line.trim())?.[1]
}

type Part = Extract<Message, { role: 'assistant' }>['parts'][number]
type Placed = ArtifactBlock & { readonly start: number }

const blocksOfPart = weakMemo((part: Part): readonly Placed[] => {
  if (part.kind !== 'text' || !/```|~~~/.test(part.text)) return []
  let before = ''
  return splitBlocks(part.text).flatMap(({ kind, text, start }) => {
    const block = kind === 'fence' ? readArtifact(readFence(text), before) : undefined
    before = text
    return block ? [{ ...block, start }] : []
  })
})

const versionsOfMessage = weakMemo((message: Message): readonly ArtifactVersion[] =>
  message.role !== 'assistant'
    ? []
    : message.parts.flatMap((part, at) =>
        blocksOfPart(part).map((block) => ({
          ...block,
          closed: block.closed || message.state !== 'streaming',
          messageId: message.id,
          part: at,
        })),
      ),
)

/** The artifacts of a chat, by their first version. */
export const artifactsOf = weakMemo(({ ids, messages }: Pick<ReadyTranscript, 'ids' | 'messages'>): readonly Artifact[] => {
  const found = new Map<string, ArtifactVersion[]>()
  for (const id of ids) {
    const message = messages[id]
    const untitled = new Map<string, number>()
    for (const version of message ? versionsOfMessage(message) : []) {
      const language = version.kind === 'code' ? version.language : version.kind
      const count = (untitled.get(language) ?? 0) + (version.title === undefined ? 1 : 0)
      untitled.set(language, count)
      const key = JSON.stringify([language, version.title?.toLowerCase() ?? count])
      found.set(key, [...(found.get(key) ?? []), version])
    }
  }
  return [...found].map(([key, versions]) => ({ key, versions }))
})

/** The artifact that has a version at this place, and the index of that version. */
export function artifactAt(
  artifacts: readonly Artifact[],
  place: ArtifactPlace,
): { readonly artifact: Artifact; readonly index: number } | undefined {
  for (const artifact of artifacts) {
    const index = artifact.versions.findIndex((version) => isSamePlace(version, place))
    if (index >= 0) return { artifact, index }
  }
  return undefined
}

const ownEndings: Readonly<Record<Exclude<ArtifactKind, 'code'>, string>> = {
  html: 'html',
  svg: 'svg',
  mermaid: 'mmd',
  csv: 'csv',
  markdown: 'md',
}
const codeEndings: Readonly<Record<string, string>> = {
  typescript: 'ts',
  javascript: 'js',
  python: 'py',
  rust: 'rs',
  kotlin: 'kt',
  csharp: 'cs',
  ruby: 'rb',
  yaml: 'yml',
  'c++': 'cpp',
}
const plainEndings =
  /^(?:c|cpp|cs|css|diff|go|h|hpp|ini|java|js|json|jsx|kt|lua|md|php|py|r|rb|rs|scss|sql|swift|tex|toml|ts|tsx|txt|vue|xml|ya?ml)$/

/** File name to save a block under. Code that a system may run at a click is `.txt`. */
export function artifactFileName({ kind, language, title }: Pick<ArtifactBlock, 'kind' | 'language' | 'title'>): string {
  const ending =
    kind === 'csv' && language === 'tsv'
      ? 'tsv'
      : kind === 'code'
        ? ([codeEndings[language], language].find((one) => one !== undefined && plainEndings.test(one)) ?? 'txt')
        : ownEndings[kind]
  const bare = (title ?? '')
    .split(/[\\/]/)
    .join('-')
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/^[ .]+|[ .]+$/g, '')
  const own = /\.([a-z0-9]{1,5})$/i.exec(bare)?.[1]?.toLowerCase()
  if (own !== undefined && (own === ending || (kind === 'code' && plainEndings.test(own)))) return bare
  return `${bare.replace(/\.[a-z0-9]{1,5}$/i, '') || 'artifact'}.${ending}`
}

/** The document of a page or drawing, complete where the model wrote a part alone. */
export function artifactDocument({ kind, code }: Pick<ArtifactBlock, 'kind' | 'code'>): string {
  if (kind !== 'svg') return /^\s*(?:<!--[\s\S]*?-->\s*)*<!doctype/i.test(code) ? code : `<!doctype html>${code}`
  // A prolog means nothing in HTML; its lines stay, so that errors name the right one.
  const drawing = code.replace(/<\?xml[^>]*\?>|<!doctype[^>[]*(?:\[[^\]]*\])?[^>]*>/gi, (gone) => gone.replace(/[^\n]/g, ''))
  return `<!doctype html><style>html{height:100%}body{min-height:100%;margin:0;display:grid;place-items:center}svg{max-width:100%;height:auto}</style>${drawing}`
}
