// An old server whose tool `hold` gives no word until `release` is called: then every call of it is answered, late or not.
import { answer, type Incoming, legacy, text, tool } from './lines.ts'

const held: Incoming[] = []

legacy([tool('hold'), tool('release')], {
  'tools/call'(message) {
    if (message.params?.name === 'hold') {
      held.push(message)
      return
    }
    for (const each of held.splice(0)) answer(each, text('The parcel is there.'))
    answer(message, text('released'))
  },
})
