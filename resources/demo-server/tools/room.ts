// Booking a room: the call says how many and when, the person fills in the rest in a form.
import { type ElicitRequestFormParams, inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { DemoOptions } from '../server.ts'
import { answer, failure } from './answer.ts'

const startTimes = ['09:00', '10:00', '11:00', '13:00', '14:00', '15:00', '16:00'] as const
const details = z.object({
  name: z.string().trim().min(1).max(80),
  start: z.enum(startTimes),
  catering: z.boolean().default(false),
  notes: z.string().max(500).default(''),
})
const form: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'Who the room is booked for', minLength: 1, maxLength: 80 },
    start: { type: 'string', title: 'Starts at', enum: [...startTimes] },
    catering: { type: 'boolean', title: 'Coffee and water', default: false },
    notes: { type: 'string', title: 'Notes', maxLength: 500 },
  },
  required: ['name', 'start'],
}

const roomFor = (people: number): string => (people <= 4 ? 'Alder' : people <= 8 ? 'Birch' : 'Chestnut')

export function addRoomTool(server: McpServer, { folder }: DemoOptions): void {
  server.registerTool(
    'book_room',
    {
      title: 'Book a room',
      description: 'Books a meeting room. Asks the person for the details that are missing.',
      inputSchema: z.object({
        people: z.number().int().min(1).max(12).describe('How many people'),
        day: z.string().trim().min(1).max(40).describe('The day, as the person said it: Thursday, 2026-10-01'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async ({ people, day }, { mcpReq }) => {
      const room = roomFor(people)
      const response = inputResponse(mcpReq.inputResponses, 'details')
      if (response.kind === 'missing')
        return inputRequired({
          inputRequests: {
            details: inputRequired.elicit({ message: `A few details for room ${room} on ${day}.`, requestedSchema: form }),
          },
        })
      if (response.kind !== 'elicit') return failure('The client did not answer the form. No room was booked.')
      if (response.action === 'decline') return answer('The person declined to give the details. No room was booked.')
      if (response.action === 'cancel') return answer('The person closed the form. No room was booked.')
      const given = details.safeParse(response.content)
      if (!given.success) return failure(`The form came back wrong: ${z.prettifyError(given.error)}. No room was booked.`)
      const { name, start, catering, notes } = given.data
      await folder.book({ room, day, start, people, name, catering, notes })
      return answer(`Room ${room} is booked for ${people} on ${day} at ${start}, for ${name}${catering ? ', with coffee and water' : ''}.`)
    },
  )
}
