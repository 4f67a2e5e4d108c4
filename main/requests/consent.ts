import type { HandlersOf, HostParts } from './handlers.ts'

export const consentRequests = (host: HostParts): HandlersOf<'consent' | 'rule' | 'audit'> => ({
  'consent.answer': ({ id, answer }) => ({ accepted: host.broker.answer(id, answer) }),
  'rule.remove'({ id }) {
    host.broker.removeRule(id)
    return {}
  },
  'rule.restore'({ id }) {
    host.broker.restoreRule(id)
    return {}
  },
  'audit.list': ({ before, limit }) => ({ rows: host.store.audit.list(before === undefined ? { limit } : { before, limit }) }),
})
