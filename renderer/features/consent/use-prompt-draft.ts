// What the person makes of a prompt before it is sent. Only what they changed goes to the host.
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { applyEdit, editOf, type SamplingEdit, type SamplingPrompt } from '#app/consent/sampling.ts'
import { useSamplingDraft } from './use-sampling-draft.ts'

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

export function usePromptDraft(original: ConsentRequestOf<'sampling'>): PromptDraft {
  const [{ prompt: draft }, keep] = useSamplingDraft(original.id)
  const setDraft = (next: SamplingPrompt | undefined): void => keep({ prompt: next })
  const prompt = draft ?? original
  const edit = editOf(prompt)
  const edited = JSON.stringify(edit) !== JSON.stringify(editOf(original))
  return {
    prompt,
    editing: draft !== undefined,
    edited,
    wordless: applyEdit(original, edit) === undefined,
    edit: edited ? edit : undefined,
    begin: () => setDraft({ systemPrompt: prompt.systemPrompt, messages: prompt.messages }),
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
