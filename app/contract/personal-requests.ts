import { z } from 'zod'
import { assistantDraft, longestFact, savedPromptDraft } from '../chat/personal.ts'
import { id, request } from './request-schema.ts'

const kind = z.enum(['prompt', 'assistant', 'fact'])

/** Saved prompts, assistants and memory. Saving without an id adds. Each change is told by `personal.changed`. */
export const personalRequests = {
  'personal.savePrompt': request({ id: id.optional(), draft: savedPromptDraft }, { id }),
  'personal.saveAssistant': request({ id: id.optional(), draft: assistantDraft }, { id }),
  /** Adds a fact of the person's, or changes the text of one; its sources stay. */
  'personal.saveFact': request({ id: id.optional(), text: z.string().trim().min(1).max(longestFact) }, { id }),
  'personal.remove': request({ kind, id }),
  /** Brings back what was removed in this run, with a fact's sources. @throws {HostError} `contract.invalid` for anything else */
  'personal.restore': request({ kind, id }),
}
