import type { HandlersOf, HostParts } from './handlers.ts'

export const consentRequests = (host: HostParts): HandlersOf<'consent' | 'rule'> => ({
  'consent.answer': ({ id, answer }) => ({ accepted: host.broker.answer(id, answer) }),
  'rule.remove'({ id }) {
    host.broker.removeRule(id)
    return {}
  },
  'rule.restore'({ id }) {
    host.broker.restoreRule(id)
    return {}
  },
})
