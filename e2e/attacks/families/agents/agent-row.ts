// A row of an attack by an agent: it ends with the same call of one that may make it.
import type { JsonObject } from '#app/json.ts'
import { type GateStage, onGate } from '../../agent.ts'
import { type Attack, bank, once, same, stolen } from '../../attack.ts'
import { type Part, tool } from '../../puppet.ts'

const family = 'agents'
const mail: Part = { tools: () => [tool('send'), tool('inbox')] }
const both = () => ({ bank, mail })
export const money: JsonObject = { to: 'mallory' }
export const sent = 'ran mail send {"to":"mallory"}'
export const toolCalls = ({ asked }: GateStage): number => asked.filter(({ kind }) => kind === 'tool-call').length

/** The same call of an agent that may make it: without it, a host that does nothing would pass. */
async function control(stage: GateStage, given?: { readonly token: string }): Promise<string[]> {
  stage.effects.length = 0
  stage.setPerson(once)
  const agent = await stage.agent(given ?? (await stage.add({ name: 'Control' })))
  await agent.call('transfer', money)
  return same('control', stage.effects, [stolen])
}

interface Row {
  readonly name: string
  play(stage: GateStage): Promise<readonly string[]>
  /** Why the usual control does not fit; the row has one of its own. */
  readonly ownControl?: true
}
export const row = ({ name, play, ownControl }: Row): Attack => ({
  family,
  name,
  run: () =>
    onGate(both, async (stage) => {
      const wrong = await play(stage)
      return [...wrong, ...(ownControl ? [] : await control(stage))]
    }),
})
