// An old server that writes in colour and in levels. Asked for messages from `debug` on it floods stderr until it is asked
// for another level, and then says that it is done. `works` works, `breaks` says that it failed. With a number as argument
// it hears nothing for so many milliseconds.
import { answer, type Incoming, legacy, send, text, tool } from './lines.ts'

const burst = `${Array.from({ length: 200 }, (_, index) => `noise ${index}`).join('\n')}\n`
let flooding = false

function flood(): void {
  if (flooding) process.stderr.write(burst, () => setImmediate(flood))
}

const begin = (): void =>
  legacy(
    [tool('works'), tool('breaks')],
    {
      'notifications/initialized'() {
        process.stderr.write('\u001b[31mcannot find book.db\u001b[0m, making one\n')
        process.stderr.write('ledger: 12 entries\n')
        send({ method: 'notifications/message', params: { level: 'error', data: 'entry 7 has no date' } })
      },
      'logging/setLevel'(message: Incoming) {
        const before = flooding
        flooding = message.params?.['level'] === 'debug'
        answer(message, {})
        if (flooding) flood()
        else if (before) process.stderr.write('the noise is over\n')
      },
      'tools/call': (message) =>
        answer(message, message.params?.name === 'works' ? text('done') : { ...text('no such entry'), isError: true }),
    },
    { tools: {}, logging: {} },
  )

const deafMs = Number(process.argv[2] ?? 0)
if (deafMs > 0) setTimeout(begin, deafMs)
else begin()
