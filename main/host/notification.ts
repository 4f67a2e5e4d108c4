// What the operating system shows when a server waits for the person and no window is in front: who asks, and for what
// kind of thing. The server's own words stay out of it: they are shown where they can be read whole.
import type { ConsentRequest } from '#app/consent/request.ts'
import { assertNever } from '#app/json.ts'
import type { Platform } from '#main/platform.ts'

type Notification = Parameters<Platform['notify']>[0]

function bodyOf(request: ConsentRequest): string {
  switch (request.kind) {
    case 'tool-call':
      return 'It wants to run a tool. Nothing runs until you answer.'
    case 'launch':
      return request.target.transport === 'stdio'
        ? 'It wants to start a program. Nothing starts until you answer.'
        : 'It wants to connect to its address. Nothing is sent until you answer.'
    case 'elicitation-form':
      return 'It asks you to fill in a form.'
    case 'elicitation-url':
      return 'It asks you to open a page.'
    case 'sampling':
      return 'It wants to ask your model something.'
    case 'sampling-result':
      return 'Your model’s answer waits for you before it is handed over.'
    case 'roots':
      return 'It asks which folders it may use.'
    default:
      return assertNever(request)
  }
}

export const notificationOf = (request: ConsentRequest): Notification => ({
  title: `${request.server} waits for you`,
  body: bodyOf(request),
  ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
})
