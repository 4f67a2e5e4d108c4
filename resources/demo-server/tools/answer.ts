// How every tool answers: text for people and models, data beside it, and a refusal as an error that the model reads.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Refusal } from '../folder.ts'

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .describe('Only this month, as in 2026-09')
  .optional()
export const monthInput = z.object({ month })

export const answer = (text: string, structuredContent?: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(structuredContent ? { structuredContent } : {}),
})

export const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** Turns a Refusal into a result; every other error stays one. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return failure(error.message)
    throw error
  }
}
