// The parts of the store by name, one for each concern. Calls are synchronous and durable (`synchronous=FULL`) when they return. A full
// disk or a read-only folder throws `disk.full` or `profile.unwritable`.
export type { AuditEntry, AuditReader, AuditStore, ChainEnd } from './audit/audit.ts'
export type { BundleMove, RuleStore, StoredLaunch } from './consent-rules.ts'
export type { ConversationStore } from './conversations.ts'
export type { ConversationPlacement, SamplingStore, SettingsStore, Store } from './open-store.ts'
export type { BlobStore } from './reclaim-space.ts'
export type { ServerStore } from './server-memory.ts'
export type { UsageStore } from './usage.ts'
