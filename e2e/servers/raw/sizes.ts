// A server of large words: `answer` with so many letters, `note` as many in a notification before it answers, and `deafen`,
// after which it reads nothing any more.
import { answer, type Incoming, legacy, send, text, tool } from './lines.ts'

const letters = (message: Incoming): string => 'x'.repeat(Number(message.params?.arguments?.['size'] ?? 0))

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  answer: (message) => answer(message, text(letters(message))),
  note(message) {
    send({ method: 'notifications/message', params: { level: 'info', data: letters(message) } })
    answer(message, text('noted'))
  },
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
