// What “Sign in” does. Where the server is up, the person signs in first and then begins anew with it, for a session
// belongs to whom it was begun by; they keep what they had if they think better of it. Where it is not, its start asks.
import type { ServerState } from '#app/server/state.ts'
import type { Supervisor } from '../supervisor.ts'
import type { SignInSession } from './session.ts'

export const isUp = ({ kind }: ServerState): boolean => kind === 'ready' || kind === 'starting' || kind === 'waiting'

export async function signInNow(supervisor: Supervisor, session: SignInSession): Promise<void> {
  if (supervisor.state.kind === 'ready') {
    await session.signIn({ guess: false })
    await supervisor.restart()
    return
  }
  session.forgive({ anew: true })
  try {
    await supervisor.ready('person')
  } catch (error) {
    session.forgive({ anew: false })
    throw error
  }
  // It began without asking who they are; what it offers to those who say so, they get now.
  if (!session.wanted) return
  await session.signIn({ guess: false })
  await supervisor.restart()
}
