// What the person keeps for their chats: saved prompts, assistants, and facts for the model's memory.
import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { contentRead } from '../consent/taint/private-flow.ts'
import { serverName } from '../server/definition.ts'
import type { ToolSwitches } from './tools/tool-switches.ts'

const name = z.string().trim().min(1).max(100)
const id = z.string().min(1).max(100)
export const longestInstructions = 20_000

/** Limits of rows of each kind. */
export const mostSaved = { prompt: 500, assistant: 200, fact: 300 } as const

export const savedPromptDraft = z.object({
  name,
  /** May hold placeholders: `{{name}}`. */
  text: z.string().min(1).max(50_000),
})
export const savedPrompt = savedPromptDraft.extend({ id })
export type SavedPromptDraft = z.infer<typeof savedPromptDraft>
export type SavedPrompt = z.infer<typeof savedPrompt>

/** Settings of a new chat. Absent members: as the settings say. */
export const assistantDraft = z.object({
  name,
  instructions: z.string().max(longestInstructions).optional(),
  model: z.string().max(300).optional(),
  /** Servers that are on; all others that are known at the beginning are off. */
  servers: z.array(serverName).max(1000).optional(),
  consentMode: consentMode.optional(),
})
export const assistant = assistantDraft.extend({ id })
export type AssistantDraft = z.infer<typeof assistantDraft>
export type Assistant = z.infer<typeof assistant>

export const longestFact = 1000

/** A fact that models read in every chat while memory is on. */
export const memoryFact = z.object({
  id,
  text: z.string().min(1).max(longestFact),
  at: z.number(),
  /** Chat in which the model noted it; absent: the person wrote it. */
  conversationId: z.string().optional(),
  /** Sources that this chat had read. With any, the fact is text that others may have written. */
  sources: z.array(contentRead).optional(),
})

export type MemoryFact = z.infer<typeof memoryFact>

export const personalLists = z.object({
  prompts: z.array(savedPrompt),
  assistants: z.array(assistant),
  facts: z.array(memoryFact),
})
export type PersonalLists = z.infer<typeof personalLists>

/** Switches of a chat with these servers alone. `known`: all servers. Undefined: nothing is off. */
export function switchesForServers(servers: readonly string[] | undefined, known: readonly string[]): ToolSwitches | undefined {
  const off = servers === undefined ? [] : known.filter((name) => !servers.includes(name)).sort()
  return off.length === 0 ? undefined : { servers: off, tools: {} }
}

const placeholder = /\{\{\s*([^{}\n]{1,60}?)\s*\}\}/g

/** Names of the placeholders in a text, each once, in their order. */
export const placeholdersIn = (text: string): string[] => [...new Set([...text.matchAll(placeholder)].map(([, found = '']) => found))]

/** Fills in placeholders; those without a value stay as they are. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (written, found: string) => (Object.hasOwn(values, found) ? (values[found] ?? '') : written))
