// When the system calls the person, who may be at something else: a server asks, a call gives no word, a long turn ended.

import type { OverdueCall } from '#app/chat/overdue-call.ts'
import { createTurnWatch, overdueNotice, requestNotice, type SystemNotice, turnEndNotice } from '#app/chat/system-notification.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { Clock } from '#main/base/clock.ts'

interface UserNotifier {
  onOpened(request: ConsentRequest): void
  onOverdue(call: OverdueCall): void
  onEvent(event: HostEvent): void
}

export function createUserNotifier(notify: (notice: SystemNotice) => void, clock: Clock): UserNotifier {
  const turns = createTurnWatch(() => clock.now())
  return {
    onOpened(request) {
      const notice = requestNotice(request)
      if (notice) notify(notice)
    },
    onOverdue: (call) => notify(overdueNotice(call)),
    onEvent(event) {
      const end = event.name === 'conversation.changed' ? turns.see(event.payload.conversation) : undefined
      if (end) notify(turnEndNotice(end))
    },
  }
}
