// Consent modes of a conversation. None allows a call that changes something unless a rule does.
import { z } from 'zod'

/** All modes. The page reads them without the schemas, which come later than its start. */
const modes = ['rules', 'ask-all', 'ask-writes', 'rules-only'] as const

/**
 * Consent mode. `rules`: rules answer, the rest is asked. `ask-all`: what would be allowed is asked too. `ask-writes`: read-only
 * tools of trusted servers run, the rest as in `rules`. `rules-only`: what would be asked is denied. A deny rule wins in each.
 */
export const consentMode = z.enum(modes)
export type ConsentMode = z.infer<typeof consentMode>

/** Kinds of tools that modes tell apart: read-only tools of trusted servers, and all others. */
export type ToolKind = 'reads' | 'changes'
/** Outcome of a call. `ask`, `allow`: where no rule decides. `always-ask`: also where one allows. `deny`: where none allows. */
export type KindAnswer = 'ask' | 'allow' | 'always-ask' | 'deny'

export const modeAnswers: Readonly<Record<ConsentMode, Readonly<Record<ToolKind, KindAnswer>>>> = {
  rules: { reads: 'ask', changes: 'ask' },
  'ask-writes': { reads: 'allow', changes: 'ask' },
  'ask-all': { reads: 'always-ask', changes: 'always-ask' },
  'rules-only': { reads: 'deny', changes: 'deny' },
}

/** Returns the mode that has this answer for a kind. The other kind keeps its own, where a mode has both; else it follows. */
export function modeWith(mode: ConsentMode, kind: ToolKind, answer: KindAnswer): ConsentMode {
  const { reads, changes }: Record<ToolKind, KindAnswer> = { ...modeAnswers[mode], [kind]: answer }
  const both = modes.find((one) => modeAnswers[one].reads === reads && modeAnswers[one].changes === changes)
  return both ?? modes.find((one) => modeAnswers[one][kind] === answer) ?? mode
}
