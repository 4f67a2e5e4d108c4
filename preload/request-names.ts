// The requests that the page may make, by name. The type holds the list to the contract: a name too few or too many
// does not compile. Written out, so that the contract's schemas are not bundled into the preload.
import type { RequestName } from '#app/contract/requests.ts'

const names: Readonly<Record<RequestName, true>> = {
  'app.snapshot': true,
  'app.openUrl': true,
  'app.chooseFolder': true,
  'conversation.get': true,
  'conversation.rename': true,
  'conversation.delete': true,
  'conversation.restore': true,
  'conversation.setModel': true,
  'chat.send': true,
  'chat.stop': true,
  'chat.resume': true,
  'chat.cancelCall': true,
  'draft.set': true,
  'server.start': true,
  'server.stop': true,
  'server.restart': true,
  'server.catalogue': true,
  'server.log': true,
  'server.setToolEnabled': true,
  'server.save': true,
  'server.setSecret': true,
  'server.forgetSecret': true,
  'server.keepSecrets': true,
  'server.putBackSecrets': true,
  'server.remove': true,
  'config.get': true,
  'config.save': true,
  'config.parse': true,
  'consent.answer': true,
  'rule.remove': true,
  'rule.restore': true,
  'audit.list': true,
  'key.set': true,
  'key.remove': true,
  'models.refresh': true,
  'settings.set': true,
}

export const isRequestName = (name: unknown): name is RequestName => typeof name === 'string' && Object.hasOwn(names, name)
