// A server of large words: `answer` with so many letters, `note` as many in a notification before it answers, `endless` in an
// answer that does not end, and `deafen`, after which it reads nothing any more.
import { answer, type Incoming, legacy, send, text, tool } from './lines.ts'

const letters = (message: Incoming): string => 'x'.repeat(Number(message.params?.arguments?.['size'] ?? 0))

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  answer: (message) => answer(message, text(letters(message))),
  note(message) {
    send({ method: 'notifications/message', params: { level: 'info', data: letters(message) } })
    answer(message, text('noted'))
  },
  endless: (message) => void process.stdout.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"text":"${letters(message)}`),
  deafen(message) {
    process.stdin.pause()
    answer(message, text('deaf'))
    setInterval(() => process.stdin.pause(), 1)
  },
}

legacy(
  Object.keys(calls).map((name) => tool(name)),
  { 'tools/call': (message) => calls[message.params?.name ?? '']?.(message) },
)
