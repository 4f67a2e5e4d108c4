// Servers that say the words of an attack wherever a server can say any: names, results, errors, messages and forms.
import type { JsonObject } from '#app/json.ts'
import { result } from '../../../servers/http/raw-http.ts'
import type { Message, Wire } from '../../../servers/raw/relayed.ts'
import { type Part, saying, tool } from '../../puppet.ts'

/** A name as it can be typed. */
export const nameOf = (words: string): string => words.replaceAll('\0', '')

const offers = { tools: {}, resources: {}, prompts: {}, logging: {} }
const fail = (message: Message, wire: Wire, words: string): true => {
  wire.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: words, data: { [words]: words } } })
  return true
}
/** Says the words wherever a server can say any, and lists tools, resources and prompts that are called by them. */
export const speaker = (words: string, own: (message: Message, wire: Wire) => boolean = () => false): Part => ({
  hello: { capabilities: offers, serverInfo: { name: words, title: words, version: words }, instructions: words },
  tools: () => [
    tool('say', { title: words, description: words, annotations: { title: words } }),
    tool(nameOf(words), { title: words, description: words }),
  ],
  call: () => saying(words),
  own(message, wire) {
    if (own(message, wire)) return true
    if (message.method === 'resources/list')
      wire.send(result(message, { resources: [{ uri: `memo://${words}`, name: words, title: words, description: words }] }))
    else if (message.method === 'resources/templates/list')
      wire.send(result(message, { resourceTemplates: [{ uriTemplate: `memo://{${words}}`, name: words, description: words }] }))
    else if (message.method === 'prompts/list')
      wire.send(
        result(message, { prompts: [{ name: 'p', title: words, description: words, arguments: [{ name: 'a', description: words }] }] }),
      )
    else if (message.method === 'prompts/get')
      wire.send(result(message, { description: words, messages: [{ role: 'user', content: { type: 'text', text: words } }] }))
    else if (message.method === 'resources/read')
      wire.send(result(message, { contents: [{ uri: `memo://${words}`, mimeType: words, text: words }] }))
    else if (message.method === 'logging/setLevel') wire.send(result(message, {}))
    else return false
    return true
  },
})
export const answering =
  (content: (words: string) => JsonObject) =>
  (words: string): Part => ({ ...speaker(words), call: () => content(words) })
export const refusing =
  (method: string) =>
  (words: string): Part =>
    speaker(words, (message, wire) => message.method === method && fail(message, wire, words))
export const noisy = (words: string): Part =>
  speaker(words, (message, wire) => {
    if (message.method !== 'tools/call') return false
    const progressToken = (message.params?.['_meta'] as JsonObject | undefined)?.['progressToken']
    wire.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: words, data: words } })
    if (progressToken !== undefined)
      wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1, message: words } })
    return false
  })
/** Asks for a form in the course of the call. */
export const asker = (words: string): Part => {
  let open: Message | undefined
  return speaker(words, (message, wire) => {
    if (message.method === 'tools/call') {
      open = message
      const properties = { [words]: { type: 'string', title: words, description: words }, one: { type: 'string', enum: [words, 'b'] } }
      wire.send({
        jsonrpc: '2.0',
        id: 'ask',
        method: 'elicitation/create',
        params: { message: words, requestedSchema: { type: 'object', properties } },
      })
      return true
    }
    if (message.id !== 'ask' || message.method !== undefined || !open) return false
    wire.send(result(open, saying('PWN END')))
    return true
  })
}
