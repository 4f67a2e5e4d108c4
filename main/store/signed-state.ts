// The signature over all that the person allowed: an HMAC-SHA-256 over the digests of its rows and a counter, in the row `state_seal`. The
// key lies outside of the data folder, with counter and MAC of the latest state beside it, so that rows that another program wrote and an
// older state that it put back show. What does not fit is hidden, neither used nor deleted, until the person chooses (decision 73).
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import {
  mostSignedItems,
  type SignedChoice,
  type SignedItem,
  type SignedKeyPlace,
  type SignedReason,
  type SignedReport,
} from '#app/signed-state.ts'
import type { Log } from '#main/base/host-log.ts'
import { createListeners } from '#main/base/listeners.ts'
import type { Database } from './database/database.ts'
import { upsert } from './rows.ts'
import { dropForeignTriggers, hideSigned, readSigned, removeSigned, type SignedRow, type SignedRows, showSigned } from './signed-rows.ts'

/** Key of a profile, with its latest state: one text, which is replaced whole. */
export interface StateKey {
  readonly kind: Exclude<SignedKeyPlace, 'none'>
  /** Folder of the file that it is in. */
  readonly folder?: string
  /** Whether the keyring did not answer, so that a key may be in it all the same. */
  readonly isLocked?: true
  /** Stored text; undefined: nothing is stored. */
  readonly value: string | undefined
  set(value: string): Promise<void>
}

/** Key that lasts as long as this process: of a temporary profile. */
export function createMemoryKey(): StateKey {
  const key = {
    kind: 'memory' as const,
    value: undefined as string | undefined,
    async set(value: string): Promise<void> {
      key.value = value
    },
  }
  return key
}

interface Seal {
  readonly counter: number
  /** Latest state that the key's store was known to hold when this one was signed. */
  readonly base: string
  readonly rows: string
  readonly mac: string
}
/** Permissions that a restored backup brought, signed when the person ticked them. */
export interface BroughtRows {
  readonly kinds: readonly string[]
  readonly digests: readonly string[]
  readonly mac: string
}

interface OpenKey {
  readonly store: StateKey
  readonly secret: Buffer
  /** State that the key's store holds, as far as it is known: counter and MAC; '': none yet. */
  kept: string
  /** Whether the store has the key itself. */
  isStored: boolean
}

const stateOf = ({ counter, mac }: Pick<Seal, 'counter' | 'mac'>): string => `${counter} ${mac}`
const macOf = (secret: Buffer, value: Json): string => createHmac('sha256', secret).update(canonicalToolJson(value)).digest('hex')
const isEqual = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const sealMac = (secret: Buffer, { counter, base, rows }: Omit<Seal, 'mac'>): string => macOf(secret, ['state', counter, base, rows])
const counterOf = (state: string): number => Number.parseInt(state, 10) || 0

function openKey(store: StateKey): OpenKey {
  const [secret = '', ...kept] = (store.value ?? '').split(' ')
  const bytes = Buffer.from(secret, 'base64')
  const isKey = bytes.length === 32
  return { store, secret: isKey ? bytes : randomBytes(32), kept: isKey ? kept.join(' ') : '', isStored: isKey }
}

type Change = SignedItem & { readonly digest?: string }

function compare(signed: SignedRows, found: SignedRows): Change[] {
  const there = [...found].flatMap(([key, row]): Change[] => {
    const before = signed.get(key)
    return before?.digest === row.digest ? [] : [{ ...row, change: before ? 'changed' : 'added' }]
  })
  const gone = [...signed].filter(([key]) => !found.has(key)).map(([, row]): Change => ({ ...row, change: 'removed', digest: '' }))
  return [...there, ...gone]
}

const tokenOf = (rows: SignedRows): string =>
  createHash('sha256')
    .update(canonicalToolJson(Object.fromEntries([...rows].map(([name, { digest }]) => [name, digest]))))
    .digest('hex')

interface SignedStateOptions {
  readonly database: Database
  readonly log: Log
  /** Permissions of the backup that has just taken the profile's place. */
  readonly brought?: BroughtRows | undefined
}

export class SignedState {
  readonly #database: Database
  readonly #log: Log
  readonly #brought: BroughtRows | undefined
  readonly #listeners = createListeners()
  readonly onChange = this.#listeners.add
  #key: OpenKey | undefined
  #report: SignedReport | undefined
  #isUsed: boolean
  /** Rows as they were signed or read last. */
  #signed: SignedRows = new Map()
  #latest: string
  #version: unknown
  #keeping: Promise<void> = Promise.resolve()

  constructor({ database, log, brought }: SignedStateOptions) {
    this.#database = database
    this.#log = log
    this.#brought = brought
    this.#isUsed = false
    this.#latest = ''
    hideSigned(database)
  }

  /** Verifies what is there with the key; null: the keyring is locked. `isLate`: others have read that there is nothing. */
  open(store: StateKey | null, isLate = false): void {
    // Of a locked keyring nobody knows whether it signed what is there.
    const isUnknown = store === null || (store.isLocked && store.value === undefined && this.#readSeal() !== undefined)
    this.#key = isUnknown ? undefined : openKey(store)
    this.#report = undefined
    if (this.#key) this.#judge(this.#key)
    else this.#refuse('no-key', readSigned(this.#database))
    if (isLate || this.#report) this.#changed()
  }

  /** Reads what is signed; what another connection has written meanwhile is checked first. */
  read<T>(work: () => T): T {
    for (;;) {
      if (!this.#isUsed) hideSigned(this.#database) // A transaction that was rolled back may have shown them.
      const result = work()
      if (!this.#isUsed || this.#dataVersion() === this.#version) return result
      this.#check()
    }
  }

  /** Signs what `work` has written, in one transaction. `always`: also when it changed nothing. */
  write<T>(work: () => T, always = false): T {
    this.read(() => undefined)
    let found = this.#signed
    let state: string | undefined
    const result = this.#database.transaction(() => {
      if (this.#isUsed && this.#dataVersion() !== this.#version) this.#check()
      const done = work()
      if (!this.#isUsed) return done
      found = readSigned(this.#database)
      if (always || tokenOf(found) !== tokenOf(this.#signed)) state = this.#sign(found)
      return done
    })
    this.#signed = found
    this.#keep(state)
    return result
  }

  /** Returns the same store, whose `writers` sign what they wrote; what the others read is checked. */
  covers<T extends object>(store: T, writers: readonly (keyof T & string)[]): T {
    const guarded = Object.entries(store).map(([name, member]) => {
      if (typeof member !== 'function') return [name, member]
      const isWriter = (writers as readonly string[]).includes(name)
      const guard = (...values: unknown[]): unknown => {
        const work = (): unknown => member(...values)
        return isWriter ? this.write(work) : this.read(work)
      }
      return [name, guard]
    })
    return Object.fromEntries(guarded) as T
  }

  /** Whether permissions of the file are used. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  get report(): SignedReport | undefined {
    return this.#report
  }

  get keyPlace(): SignedKeyPlace {
    return this.#key?.store.kind ?? 'none'
  }

  get keyFolder(): string | undefined {
    return this.#key?.store.folder
  }

  /**
   * Follows the person's choice about what was reported, which is audited first.
   * @throws {HostError} `contract.invalid` when it is not what was listed
   */
  async settle(choice: SignedChoice, token: string, audit: (reason: SignedReason) => void): Promise<void> {
    const report = this.#report
    const isOpen = report !== undefined && (!this.#isUsed || report.reason === 'first')
    if (!this.#key || !isOpen || tokenOf(readSigned(this.#database)) !== token)
      throw new HostError('contract.invalid', t`The list has changed meanwhile. Look at it again.`)
    audit(report.reason)
    if (choice === 'none') this.#database.transaction(() => removeSigned(this.#database))
    this.#report = undefined
    await this.#adopt()
    this.#changed()
  }

  /** Signs the permissions that a staged backup is to bring. */
  sealBrought(kinds: readonly string[], rows: SignedRows): BroughtRows | undefined {
    if (!this.#key) return undefined
    const digests = [...rows.values()].filter(({ kind }) => kinds.includes(kind)).map(({ digest }) => digest)
    return { kinds, digests, mac: macOf(this.#key.secret, ['brought', [...kinds], digests]) }
  }

  /** Resolves when the key's store holds the latest state, or could not be written. */
  flush(): Promise<void> {
    return this.#keeping
  }

  #dataVersion(): unknown {
    return this.#database.get('PRAGMA data_version')?.['data_version']
  }

  /** Tells listeners later: what found the change may be in the middle of a decision. */
  #changed(): void {
    queueMicrotask(this.#listeners.tell)
  }

  #judge(key: OpenKey): void {
    const found = readSigned(this.#database)
    const foreign = this.#foreign()
    const seal = this.#readSeal()
    const isUnsigned = seal === undefined && key.kept === ''
    if (isUnsigned && foreign.length === 0) {
      if (found.size > 0) this.#report = this.#reportOf('first', found, [])
      this.#begin()
      return
    }
    if (!seal || !isEqual(seal.mac, sealMac(key.secret, seal))) {
      this.#refuse(key.kept === '' && !isUnsigned ? 'no-key' : 'unsigned', found, foreign)
      return
    }
    const was = new Map(parseJson(seal.rows) as unknown as [string, SignedRow][]) // Signed by us.
    const changes = [...foreign, ...compare(was, found)]
    const state = stateOf(seal)
    if (state !== key.kept && seal.base !== key.kept) this.#refuse('replaced', found, changes)
    else if (changes.length > 0 && !this.#wasBrought(changes, key)) this.#refuse('changed', found, changes)
    else {
      this.#latest = state
      this.#begin(was)
    }
  }

  /** Whether the person ticked these changes when they restored a backup. */
  #wasBrought(changes: readonly Change[], { secret }: OpenKey): boolean {
    const brought = this.#brought
    if (!brought || !isEqual(brought.mac, macOf(secret, ['brought', [...brought.kinds], [...brought.digests]]))) return false
    return changes.every(({ change, kind, digest }) =>
      change === 'removed' ? brought.kinds.includes(kind) : digest !== undefined && brought.digests.includes(digest),
    )
  }

  /** Compares the rows once another connection has changed the file. */
  #check(): void {
    this.#version = this.#dataVersion()
    const found = readSigned(this.#database)
    const changes = [...this.#foreign(), ...compare(this.#signed, found)]
    if (changes.length > 0) this.#refuse('changed', found, changes)
  }

  #foreign(): Change[] {
    return dropForeignTriggers(this.#database).map((name) => ({ kind: 'schema', name, change: 'added' }))
  }

  #refuse(reason: SignedReason, found: SignedRows, changes: readonly Change[] = []): void {
    this.#isUsed = false
    hideSigned(this.#database)
    this.#report = this.#reportOf(reason, found, changes)
    const listed = changes.map(({ change, kind, name }) => `${change} ${kind} ${name}`).join(', ')
    this.#log.warn(`permissions of the profile are not used (${reason}): ${listed}`)
    this.#changed()
  }

  #reportOf(reason: SignedReason, found: SignedRows, changes: readonly Change[]): SignedReport {
    const rest = [...found.values()].filter(({ digest }) => !changes.some((one) => one.digest === digest))
    const items = [...changes, ...rest].map(({ digest: _, ...item }): SignedItem => item)
    return {
      reason,
      items: items.slice(0, mostSignedItems),
      more: Math.max(0, items.length - mostSignedItems),
      ...(this.#key ? { token: tokenOf(found) } : {}),
    }
  }

  #begin(was?: SignedRows): void {
    this.#adopt(was).catch((error: unknown) => this.#log.error('the permissions could not be signed', error))
  }

  /**
   * Uses what is there from now on, and signs what differs from `was`. A new key is stored first, so that a crash never leaves a seal
   * without its key.
   */
  async #adopt(was?: SignedRows): Promise<void> {
    this.#database.transaction(() => showSigned(this.#database))
    this.#isUsed = true
    this.#version = this.#dataVersion()
    this.#signed = was ?? readSigned(this.#database)
    const key = this.#key
    if (!key) return
    if (!key.isStored) {
      await key.store.set(`${key.secret.toString('base64')} `)
      key.isStored = true
    }
    this.write(() => undefined, was === undefined)
    this.#keep(this.#latest || undefined)
  }

  #readSeal(): Seal | undefined {
    const row = this.#database.get('SELECT counter, base, rows, mac FROM main.state_seal')
    return row && { counter: Number(row['counter']), base: String(row['base']), rows: String(row['rows']), mac: String(row['mac']) }
  }

  /** Writes the seal. Returns what the key's store has to hold; undefined: the key is not stored yet. */
  #sign(found: SignedRows): string | undefined {
    const key = this.#key
    if (!key?.isStored) return undefined
    const counter = Math.max(counterOf(this.#latest), counterOf(key.kept)) + 1
    const parts = { counter, base: key.kept, rows: JSON.stringify([...found]) }
    const mac = sealMac(key.secret, parts)
    upsert(this.#database, 'state_seal', { one: 1 }, { ...parts, mac })
    return stateOf({ counter, mac })
  }

  #keep(state: string | undefined): void {
    if (state === undefined) return
    this.#latest = state
    const write = async (): Promise<void> => {
      const key = this.#key
      const value = this.#latest
      if (!key || key.kept === value) return
      await key.store.set(`${key.secret.toString('base64')} ${value}`)
      key.kept = value
    }
    // When it fails, the next start accepts the state that follows the one that was kept.
    const failed = (error: unknown): void => this.#log.warn(`the state of the permissions was not kept: ${String(error)}`)
    this.#keeping = this.#keeping.then(write).catch(failed)
  }
}
