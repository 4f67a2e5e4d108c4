import { z } from 'zod'
import { launchDigest } from '#app/consent/launch-digest.ts'
import { launchTarget } from '#app/consent/request.ts'
import { rule } from '#app/consent/rules/rule.ts'
import { approvedDefinition } from '#app/consent/tool-definition.ts'
import { mostAccepted } from '#app/server/list-limits.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { insert, parseRows, parseText, upsert } from './rows.ts'
import type { RuleStore } from './store-api.ts'

/** Characters of a definition as JSON. A longer one is not kept, so a change of it is shown without the earlier one. */
const longestDefinition = 64_000
/** Approvals of MCP Apps that are kept; the oldest are dropped, and asked about again. */
const mostViews = 1000

const launchDigests = z.array(launchDigest)

export const createRuleStore = (database: Database, log: Log): RuleStore => ({
  ...consentRules(database, log),
  ...approvedLaunches(database, log),
  ...agreedViews(database),
  ...toldFolders(database),
  ...approvedDefinitions(database, log),
})

/** Rules of the person, and how often each decided. */
function consentRules(database: Database, log: Log): Pick<RuleStore, 'list' | 'usages' | 'put' | 'remove'> {
  return {
    list: () => parseRows(rule, database.all('SELECT id, body FROM rules ORDER BY place'), 'rule', log),
    usages: () =>
      Object.fromEntries(
        database
          .all('SELECT rule, times, last FROM rule_uses')
          .map((row) => [String(row['rule']), { times: Number(row['times']), last: Number(row['last']) }]),
      ),
    // A rule about any server has the empty name, which no server has.
    put: (value) => void upsert(database, 'rules', { id: value.id }, { server: value.server ?? '', body: JSON.stringify(value) }),
    remove: (id) => parseRows(rule, database.all('DELETE FROM rules WHERE id = ? RETURNING id, body', id), 'rule', log)[0],
  }
}

/** Approved launches, one a server. */
function approvedLaunches(database: Database, log: Log): Pick<RuleStore, 'launch' | 'putLaunch'> {
  return {
    launch(server) {
      const row = database.get('SELECT fingerprint, target, digest FROM launches WHERE server = ?', server)
      const target = row && parseText(launchTarget, row['target'], `launch of ${server}`, log)
      if (!row || !target) return undefined
      const digests = row['digest'] === null ? [] : parseText(launchDigests, row['digest'], `digests of ${server}`, log)
      return { fingerprint: String(row['fingerprint']), target, digests: digests ?? [] }
    },
    putLaunch(server, { fingerprint, target, digests }) {
      upsert(database, 'launches', { server }, { fingerprint, target: JSON.stringify(target), digest: JSON.stringify(digests) })
    },
  }
}

/** Interfaces of MCP Apps that were agreed to. */
function agreedViews(database: Database): Pick<RuleStore, 'hasMcpApp' | 'putMcpApp' | 'forgetMcpApp'> {
  return {
    hasMcpApp: (server, uri, fingerprint) =>
      database.get('SELECT 1 AS found FROM agreed_views WHERE server = ? AND uri = ? AND fingerprint = ?', server, uri, fingerprint) !==
      undefined,
    putMcpApp(server, uri, fingerprint) {
      database.transaction(() => {
        upsert(database, 'agreed_views', { server, uri, fingerprint })
        database.run(
          'DELETE FROM agreed_views WHERE place <= (SELECT place FROM agreed_views ORDER BY place DESC LIMIT 1 OFFSET ?)',
          mostViews,
        )
      })
    },
    forgetMcpApp: (server, uri) =>
      database.all('DELETE FROM agreed_views WHERE server = ? AND uri = ? RETURNING uri', server, uri).length > 0,
  }
}

/** Folders that a server was told of, by conversation. */
function toldFolders(database: Database): Pick<RuleStore, 'sharedFolders' | 'addSharedFolders' | 'forgetSharedFolders'> {
  return {
    sharedFolders(server) {
      const byConversation = new Map<string, string[]>()
      for (const row of database.all('SELECT conversation, uri FROM told_folders WHERE server = ? ORDER BY conversation, uri', server)) {
        const id = String(row['conversation'])
        byConversation.set(id, [...(byConversation.get(id) ?? []), String(row['uri'])])
      }
      return [...byConversation].map(([id, uris]) => ({ ...(id === '' ? {} : { conversationId: id }), uris }))
    },
    addSharedFolders(server, { conversationId = '', uris }) {
      database.transaction(() => {
        for (const uri of uris) upsert(database, 'told_folders', { server, conversation: conversationId, uri })
      })
    },
    forgetSharedFolders: (server) => database.all('DELETE FROM told_folders WHERE server = ? RETURNING uri', server).length > 0,
  }
}

/** Definitions of tools as they were approved. */
function approvedDefinitions(database: Database, log: Log): Pick<RuleStore, 'definition' | 'fingerprints' | 'putDefinition'> {
  return {
    definition(server, tool) {
      const row = database.get('SELECT body FROM definitions WHERE server = ? AND tool = ?', server, tool)
      return row && parseText(approvedDefinition, row['body'], `definition of ${tool}`, log)
    },
    fingerprints: (server) =>
      new Map(
        database
          .all(
            "SELECT tool, json_extract(body, '$.fingerprint') AS fingerprint FROM definitions WHERE server = ? AND json_valid(body)",
            server,
          )
          .map((row) => [String(row['tool']), String(row['fingerprint'])]),
      ),
    putDefinition(server, approved) {
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
