// The tool that uses the client's model: the first round asks for it, the second reads the answer.
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { answer, failure } from './answer.ts'

export function askForSummary(file: string, text: string, { mcpReq }: ServerContext): CallToolResult | InputRequiredResult {
  const response = inputResponse(mcpReq.inputResponses, 'summary')
  if (response.kind === 'missing')
    return inputRequired({
      inputRequests: {
        summary: inputRequired.createMessage({
          systemPrompt: 'You summarise invoices for an accountant. One sentence. Keep amounts and dates exactly as written.',
          messages: [{ role: 'user', content: { type: 'text', text: `Summarise this invoice.\n\n${text}` } }],
          maxTokens: 200,
        }),
      },
    })
  if (response.kind !== 'sampling') return failure('The client did not answer with a message of its model.')
  const blocks = Array.isArray(response.result.content) ? response.result.content : [response.result.content]
  const summary = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  return answer(`${file}: ${summary}`)
}
