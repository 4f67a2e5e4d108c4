import type { HandlersOf, HostParts } from './handlers.ts'

export function messageRequests(host: HostParts): HandlersOf<'message'> {
  const { branches } = host.chat
  return {
    'message.edit'(params) {
      branches.edit(params)
      return {}
    },
    'message.regenerate'(params) {
      branches.regenerate(params)
      return {}
    },
    'message.show'(params) {
      branches.show(params)
      return {}
    },
    'message.delete': (params) => branches.delete(params),
    'message.restore'(params) {
      branches.restore(params)
      return {}
    },
    'message.fork': (params) => branches.fork(params),
  }
}
