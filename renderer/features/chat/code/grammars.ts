// The grammars of the usual languages: a chunk of its own, fetched with the first code that names one of them.
import { common, createLowlight } from 'lowlight'
import { type CodeToken, toTokens } from './syntax-tokens.ts'

const lowlight = createLowlight(common)
lowlight.registerAlias({ ini: ['conf', 'properties', 'env', 'dotenv'], xml: ['vue', 'svelte'] })

/** Undefined: no grammar of that name. */
export function colourCode(code: string, language: string): CodeToken[] | undefined {
  return lowlight.registered(language) ? toTokens(lowlight.highlight(language, code)) : undefined
}
