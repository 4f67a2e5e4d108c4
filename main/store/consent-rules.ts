import { z } from 'zod'
import { type LaunchDigest, launchDigest } from '#app/consent/launch-digest.ts'
import { type LaunchTarget, launchTarget } from '#app/consent/request.ts'
import { type Rule, type RuleUsage, rule } from '#app/consent/rules/rule.ts'
import { type ApprovedDefinition, approvedDefinition } from '#app/consent/tool-definition.ts'
import { defined } from '#app/or-else.ts'
import { mostAccepted } from '#app/server/list-limits.ts'
import type { SharedFolders } from '#app/shared-folders.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { insert, parseRows, parseText, upsert } from './rows.ts'

/** Characters of a definition as JSON. A longer one is not kept, so a change of it is shown without the earlier one. */
const longestDefinition = 64_000
/** Approvals of MCP Apps that are kept; the oldest are dropped, and asked about again. */
const mostViews = 1000

const launchDigests = z.array(launchDigest)
/** Names of the folders of an approved bundle and of its update. */
const bundleMove = z.object({ from: z.string(), to: z.string() })
export type BundleMove = z.infer<typeof bundleMove>

/** Facts that stand in the text of the target, so that they are signed, moved and backed up with it. */
const besideTarget = z.object({ identity: z.string().optional(), update: bundleMove.optional() })

export interface StoredLaunch {
  readonly fingerprint: string
  readonly target: LaunchTarget
  /** Digests of the approved values, one for each key; none: approved before values were bound, or without a key. */
  readonly digests: readonly LaunchDigest[]
  /**
   * Random id of the program that its approvals are of. An approved update keeps it; another program of the name gets another. Absent:
   * approved before it was kept.
   */
  readonly identity?: string | undefined
  /** Update that the person installed and whose launch is not approved yet. */
  readonly update?: BundleMove | undefined
}

export type RuleStore = ReturnType<typeof createRuleStore>

export const createRuleStore = (database: Database, log: Log) => ({
  ...consentRules(database, log),
  ...approvedLaunches(database, log),
  ...agreedViews(database),
  ...toldFolders(database),
  ...approvedDefinitions(database, log),
})

function consentRules(database: Database, log: Log) {
  return {
    list: (): Rule[] => parseRows(rule, database.all('SELECT id, body FROM rules ORDER BY place'), 'rule', log),
    /** Use of each rule by id, as the audit log has it; also of removed rules. */
    usages: (): Record<string, RuleUsage> =>
      Object.fromEntries(
        database
          .all('SELECT rule, times, last FROM rule_uses')
          .map((row) => [String(row['rule']), { times: Number(row['times']), last: Number(row['last']) }]),
      ),
    // A rule about any server has the empty name, which no server has.
    put: (value: Rule): void =>
      void upsert(database, 'rules', { id: value.id }, { server: value.server ?? '', body: JSON.stringify(value) }),
    remove: (id: string): Rule | undefined =>
      parseRows(rule, database.all('DELETE FROM rules WHERE id = ? RETURNING id, body', id), 'rule', log)[0],
  }
}

function approvedLaunches(database: Database, log: Log) {
  return {
    launch(server: string): StoredLaunch | undefined {
      const row = database.get('SELECT fingerprint, target, digest FROM launches WHERE server = ?', server)
      const target = row && parseText(launchTarget, row['target'], `launch of ${server}`, log)
      if (!row || !target) return undefined
      const digests = row['digest'] === null ? [] : parseText(launchDigests, row['digest'], `digests of ${server}`, log)
      const beside = parseText(besideTarget, row['target'], `launch of ${server}`, log) ?? {}
      return { fingerprint: String(row['fingerprint']), target, digests: digests ?? [], ...beside }
    },
    putLaunch(server: string, { fingerprint, target, digests, identity, update }: StoredLaunch): void {
      const text = JSON.stringify({ ...target, ...defined({ identity, update }) })
      upsert(database, 'launches', { server }, { fingerprint, target: text, digest: JSON.stringify(digests) })
    },
    forgetTrust: (server: string): void => void database.run('DELETE FROM trusted_servers WHERE server = ?', server),
  }
}

/** MCP Apps that connect beyond this machine, each in the version that the person approved. */
function agreedViews(database: Database) {
  return {
    hasMcpApp: (server: string, uri: string, fingerprint: string): boolean =>
      database.get('SELECT 1 AS found FROM agreed_views WHERE server = ? AND uri = ? AND fingerprint = ?', server, uri, fingerprint) !==
      undefined,
    putMcpApp(server: string, uri: string, fingerprint: string): void {
      database.transaction(() => {
        upsert(database, 'agreed_views', { server, uri, fingerprint })
        database.run(
          'DELETE FROM agreed_views WHERE place <= (SELECT place FROM agreed_views ORDER BY place DESC LIMIT 1 OFFSET ?)',
          mostViews,
        )
      })
    },
    forgetMcpApp: (server: string, uri: string): boolean =>
      database.all('DELETE FROM agreed_views WHERE server = ? AND uri = ? RETURNING uri', server, uri).length > 0,
  }
}

/** Folders that a server may be told without asking, by conversation. */
function toldFolders(database: Database) {
  return {
    sharedFolders(server: string): SharedFolders[] {
      const byConversation = new Map<string, string[]>()
      for (const row of database.all('SELECT conversation, uri FROM told_folders WHERE server = ? ORDER BY conversation, uri', server)) {
        const id = String(row['conversation'])
        byConversation.set(id, [...(byConversation.get(id) ?? []), String(row['uri'])])
      }
      return [...byConversation].map(([id, uris]) => ({ ...(id === '' ? {} : { conversationId: id }), uris }))
    },
    addSharedFolders(server: string, { conversationId = '', uris }: SharedFolders): void {
      database.transaction(() => {
        for (const uri of uris) upsert(database, 'told_folders', { server, conversation: conversationId, uri })
      })
    },
    /** Returns whether there were any. */
    forgetSharedFolders: (server: string): boolean =>
      database.all('DELETE FROM told_folders WHERE server = ? RETURNING uri', server).length > 0,
  }
}

/** Definitions of tools as they were last accepted. */
function approvedDefinitions(database: Database, log: Log) {
  return {
    /** Undefined: never accepted, too long ago, or too long to keep. */
    definition(server: string, tool: string): ApprovedDefinition | undefined {
      const row = database.get('SELECT body FROM definitions WHERE server = ? AND tool = ?', server, tool)
      return row && parseText(approvedDefinition, row['body'], `definition of ${tool}`, log)
    },
    fingerprints: (server: string): ReadonlyMap<string, string> =>
      new Map(
        database
          .all(
            "SELECT tool, json_extract(body, '$.fingerprint') AS fingerprint FROM definitions WHERE server = ? AND json_valid(body)",
            server,
          )
          .map((row) => [String(row['tool']), String(row['fingerprint'])]),
      ),
    putDefinition(server: string, approved: ApprovedDefinition): void {
      const { name } = approved.definition
      const body = JSON.stringify(approved)
      database.transaction(() => {
        database.run('DELETE FROM definitions WHERE server = ? AND tool = ?', server, name)
        if (body.length > longestDefinition) return
        insert(database, 'definitions', { server, tool: name, body })
        database.run(
          'DELETE FROM definitions WHERE place <= (SELECT place FROM definitions ORDER BY place DESC LIMIT 1 OFFSET ?)',
          mostAccepted,
        )
      })
    },
  }
}
