// What the person makes of a prompt before it is sent. Only what they changed goes to the host.
import { useState } from 'react'
import { applyEdit, editOf, type SamplingEdit, type SamplingPrompt } from '#app/consent/sampling.ts'

export interface PromptDraft {
  /** As it would be sent. */
  readonly prompt: SamplingPrompt
  readonly editing: boolean
  readonly edited: boolean
  /** A message has lost its words. */
  readonly wordless: boolean
  /** For the answer; undefined: as the server wrote it. */
  readonly edit: SamplingEdit | undefined
  begin(): void
  /** Back to what the server wrote. */
  undo(): void
  writeSystem(text: string): void
  /** `part`: of the message at `message`. */
  write(message: number, part: number, text: string): void
}

export function usePromptDraft(original: SamplingPrompt): PromptDraft {
  const [draft, setDraft] = useState<SamplingPrompt | undefined>(undefined)
  const prompt = draft ?? original
  const edit = editOf(prompt)
  const edited = JSON.stringify(edit) !== JSON.stringify(editOf(original))
  return {
    prompt,
    editing: draft !== undefined,
    edited,
    wordless: applyEdit(original, edit) === undefined,
    edit: edited ? edit : undefined,
    begin: () => setDraft(prompt),
    undo: () => setDraft(undefined),
    writeSystem: (systemPrompt) => setDraft({ ...prompt, systemPrompt }),
    write: (message, part, text) =>
      setDraft({
        ...prompt,
        messages: prompt.messages.map((one, index) =>
          index === message ? { ...one, parts: one.parts.map((each, at) => (at === part ? { type: 'text', text } : each)) } : one,
        ),
      }),
  }
}
