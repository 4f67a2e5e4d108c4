// Grammars of common languages, in a chunk that is fetched with the first code of a named language.
import { common, createLowlight } from 'lowlight'
import { type CodeToken, toTokens } from './syntax-tokens.ts'

const lowlight = createLowlight(common)
lowlight.registerAlias({ ini: ['conf', 'properties', 'env', 'dotenv'], xml: ['vue', 'svelte'] })

/** Tokens of the code; undefined: no grammar of that name. */
export function colourCode(code: string, language: string): CodeToken[] | undefined {
  return lowlight.registered(language) ? toTokens(lowlight.highlight(language, code)) : undefined
}
