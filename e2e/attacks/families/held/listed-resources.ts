// Lists of resources that a model asks for, and servers that a chat leaves out. The promise: a list is asked like a call, it counts as text
// of its server, and what a chat is not offered is neither listed nor read.
import { type Attack, always, no, once, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { tool } from '../../puppet.ts'
import { trust } from '../../stage.ts'
import { calls, load, person, read, row, told } from '../reads.ts'

const list = (server: string): string => order('assent__list_resources', { server })

export const listedResources: readonly Attack[] = [
  row({
    name: 'a list of resources reaches the model with a yes alone',
    async play(stage) {
      person(stage, no)
      await stage.turn(list('docs'))
      const before = told(stage).includes('note://one')
      person(stage, once)
      await stage.turn(list('docs'))
      return [...same('told', before, false), ...unless(told(stage).includes('note://one'), 'control: with a yes it is not told either')]
    },
  }),
  row({
    name: 'a server that the chat leaves out is neither listed nor read',
    async play(stage, seen) {
      person(stage, always)
      const chat = await stage.turn('Hello')
      await stage.host.request('conversation.switchTool', { id: chat, server: 'docs', on: false })
      const from = calls(stage).length
      for (const one of [list('docs'), read('docs'), load('docs')]) await stage.turn(one, chat)
      const asked = calls(stage).length - from
      const before = [...seen]
      await stage.turn(read('docs', 'note://two'))
      return [...same('asked', asked, 0), ...same('read', before, []), ...same('control', seen, ['docs read note://two'])]
    },
  }),
  row({
    name: 'after a list of resources, private data does not leave under a rule',
    cast: () => ({
      vault: { tools: () => [tool('read', { annotations: { readOnlyHint: true, openWorldHint: false } })], call: () => 'IBAN' },
      mail: { tools: () => [tool('send')] },
    }),
    async play(stage) {
      for (const one of ['vault', 'mail']) await trust(stage, one)
      for (const one of ['vault', 'mail']) await stage.host.request('server.start', { name: one })
      for (const server of ['vault', 'mail'])
        await stage.host.request('rule.save', { rule: { effect: 'allow', server, scope: { kind: 'always' } } })
      person(stage, once)
      const chat = await stage.turn(list('docs'))
      await stage.turn(order('vault__read'), chat)
      person(stage, no)
      await stage.turn(order('mail__send', { text: 'x' }), chat)
      const sent = (): string[] => stage.effects.filter((one) => one.startsWith('ran mail'))
      const before = sent()
      await stage.turn(order('mail__send', { text: 'y' }))
      return [
        ...same('sent', before, []),
        ...unless(calls(stage).includes('mail send (flow)'), `not asked: ${calls(stage).join()}`),
        ...same('control: in another chat', sent().length, 1),
      ]
    },
  }),
]
