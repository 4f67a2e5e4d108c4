import type { OverdueCall } from '#app/chat/overdue-call.ts'
import { createTurnWatch, overdueNotice, requestNotice, type SystemNotice, turnEndNotice } from '#app/chat/system-notification.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { Clock } from '#main/base/clock.ts'

/** Sends system notifications for consent requests, overdue calls and the end of long turns. */
export function createUserNotifier(notify: (notice: SystemNotice) => void, clock: Clock) {
  const turns = createTurnWatch(() => clock.now())
  return {
    onOpened(request: ConsentRequest): void {
      // Whoever runs a command is told there.
      const notice = request.joined === undefined ? requestNotice(request) : undefined
      if (notice) notify(notice)
    },
    onOverdue: (call: OverdueCall): void => notify(overdueNotice(call)),
    onEvent(event: HostEvent): void {
      const end = event.name === 'conversation.changed' ? turns.see(event.payload.conversation) : undefined
      if (end) notify(turnEndNotice(end))
    },
  }
}
