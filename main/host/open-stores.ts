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
  const store: Store = { ...opened, audit: { ...audit, append } }
  return { store, secrets, knownSecrets, auditAnchor }
}

export type HostStores = ReturnType<typeof openStores>
