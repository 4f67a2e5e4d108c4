import { defaultSettings, type Settings } from '#app/settings.ts'
import { openStore } from '#main/store/open-store.ts'
import { createAuditAnchor } from '../store/audit/audit-anchor.ts'
import { createMemoryKey } from '../store/signed-state.ts'
import type { Store } from '../store/store-api.ts'
import type { HostBase } from './host-options.ts'
import { createKnownSecrets, maskedAudit, secretVariables } from './known-secrets.ts'

/**
 * Opens the profile's store and the secrets. No secret reaches the audit log, and each of its rows is anchored in the keyring.
 * @throws {HostError} `profile.*` or `disk.full` when the profile cannot be opened.
 */
export function openStores({
  dataDir,
  temporary = false,
  platform,
  clock,
  log,
  env,
  undo,
  stateKey = createMemoryKey(),
  ...options
}: HostBase) {
  const opened = options.store ?? openStore({ dataDir, clock, log, temporary })
  undo.push(() => opened.close())
  if (stateKey instanceof Promise) void stateKey.then((key) => opened.signed.open(key, true))
  else opened.signed.open(stateKey)
  platform.speak?.(opened.settings.get().language)
  const knownSecrets = createKnownSecrets()
  knownSecrets.add(secretVariables(env))
  const secrets = knownSecrets.watch(platform.secrets)
  // The command line sets no anchor: a keyring may ask the person for a password.
  const auditAnchor = platform.shell.kind === 'cli' ? undefined : createAuditAnchor({ audit: opened.audit, secrets, clock, log })
  const audit = maskedAudit(opened.audit, knownSecrets.mask)
  const append: typeof audit.append = (entry) => {
    const row = audit.append(entry)
    auditAnchor?.touched()
    return row
  }
  const settings = options.safe ? safeSettings(opened.settings) : opened.settings
  const store: Store = { ...opened, settings, audit: { ...audit, append } }
  return { store, secrets, knownSecrets, auditAnchor }
}

/**
 * Settings that a safe start leaves at their defaults until they are set in it: looks, keys and what the desktop app starts. How chats ask
 * and their limits stay, since the defaults may be looser.
 */
const unsafe = [
  ...(['theme', 'language', 'spelling', 'textSize', 'density', 'codeFont', 'accent', 'sidebarWidth', 'sidebarCollapsed'] as const),
  ...(['voice', 'shortcuts', 'tray', 'startAtLogin', 'quickEntryKeys'] as const),
]

function safeSettings(settings: Store['settings']): Store['settings'] {
  const untouched = new Set<keyof Settings>(unsafe)
  const get = (): Settings => {
    const defaults = Object.fromEntries([...untouched].map((name) => [name, defaultSettings[name]]))
    return { ...settings.get(), ...defaults }
  }
  return {
    ...settings,
    get,
    set(patch) {
      settings.set(patch)
      for (const name of Object.keys(patch)) untouched.delete(name as keyof Settings)
      return get()
    },
  }
}

export type HostStores = ReturnType<typeof openStores>
