// The schema as a list of migrations: step n brings a profile from version n - 1 to n. Steps are only ever added, and their text is
// compared with a backup's schema. What is read whole is JSON in `body`; further columns are for finding and ordering.

const byRule = (row: string): string =>
  `${row}.kind = 'decision' AND ${row}.by = 'rule' AND json_valid(${row}.detail) AND json_type(${row}.detail, '$.ruleId') = 'text'`

const auditWords = (row: string): string =>
  `concat_ws(' ', ${row}.kind, ${row}.server, ${row}.tool, ${row}.decision, ${row}.by, ${row}.conversation_id,
    (SELECT replace(replace(group_concat(atom, ' '), '\\n', ' '), '\\t', ' ') FROM json_tree(${row}.detail) WHERE atom IS NOT NULL))`

export const migrations: readonly string[] = [
  `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    updated_at REAL NOT NULL,
    activity TEXT NOT NULL,
    deleted_at REAL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX conversations_listed ON conversations (updated_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_unfinished ON conversations (id) WHERE activity IN ('working', 'waiting');
  CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;

  CREATE TABLE messages (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX messages_of_conversation ON messages (conversation_id, place);
  CREATE INDEX messages_unfinished ON messages (place) WHERE state = 'streaming';

  CREATE TABLE drafts (conversation_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;

  CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, mime_type TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;

  CREATE TABLE rules (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, server TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE launches (server TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, target TEXT NOT NULL) STRICT;

  CREATE TABLE server_memory (server TEXT PRIMARY KEY, catalogue TEXT, session TEXT) STRICT;
  CREATE TABLE disabled_tools (server TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, tool)) STRICT, WITHOUT ROWID;

  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    server TEXT,
    tool TEXT,
    decision TEXT,
    by TEXT,
    conversation_id TEXT,
    detail TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  -- Where the chain ends, so that a cut tail shows.
  CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  INSERT INTO audit_head VALUES (1, 0, '');

  CREATE TRIGGER audit_appends BEFORE INSERT ON audit
    WHEN NEW.seq IS NOT (SELECT seq + 1 FROM audit_head) OR NEW.previous IS NOT (SELECT hash FROM audit_head)
    BEGIN SELECT RAISE(ABORT, 'the record is only appended to'); END;
  CREATE TRIGGER audit_moves_head AFTER INSERT ON audit
    BEGIN UPDATE audit_head SET seq = NEW.seq, hash = NEW.hash; END;
  CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the record is never changed'); END;
  CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the record is never deleted from'); END;
  CREATE TRIGGER audit_head_only_moves_on BEFORE UPDATE ON audit_head
    WHEN NEW.seq IS NOT OLD.seq + 1
    BEGIN SELECT RAISE(ABORT, 'the record is never cut'); END;
  CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head
    BEGIN SELECT RAISE(ABORT, 'the record is never cut'); END;
  `,
  // Over rows that somebody put behind it, the head may move on by more than one: the record goes on after them.
  `
  DROP TRIGGER audit_head_only_moves_on;
  CREATE TRIGGER audit_head_only_moves_on BEFORE UPDATE ON audit_head
    WHEN NEW.seq <= OLD.seq
    BEGIN SELECT RAISE(ABORT, 'the record is never cut'); END;
  `,
  // Keyed digests of the values that a launch was approved with; NULL: approved before they were bound.
  'ALTER TABLE launches ADD COLUMN digest TEXT',
  // What the person chose for a server, beside what is remembered of it.
  'CREATE TABLE server_choices (server TEXT PRIMARY KEY, log_level TEXT) STRICT',
  // Tools as the person accepted them, the latest last. Whose launch told what is remembered; NULL: not known yet.
  `
  CREATE TABLE definitions (
    place INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (server, tool)
  ) STRICT;
  ALTER TABLE server_memory ADD COLUMN launch TEXT;
  `,
  // Finding in the record: what rows are filtered by, in their order, and every word of them. Neither is part of the chain.
  `
  CREATE INDEX audit_facts ON audit (seq, time, kind, server, decision, by);
  CREATE VIRTUAL TABLE audit_words USING fts5 (words, content = '', tokenize = 'unicode61 remove_diacritics 2');
  CREATE TRIGGER audit_is_found AFTER INSERT ON audit
    BEGIN INSERT INTO audit_words (rowid, words) VALUES (NEW.seq, ${auditWords('NEW')}); END;
  INSERT INTO audit_words (rowid, words) SELECT audit.seq, ${auditWords('audit')} FROM audit WHERE json_valid(audit.detail);
  `,
  // What servers may have of the person's model in a day, and have had.
  `
  CREATE TABLE sampling_budgets (server TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE sampling_use (server TEXT NOT NULL, day TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (server, day)) STRICT, WITHOUT ROWID;
  `,
  // Folders of a server's own, and those that a server may be told of unasked; conversation '': in all of them.
  `
  ALTER TABLE server_choices ADD COLUMN folders TEXT;
  CREATE TABLE told_folders (
    server TEXT NOT NULL,
    conversation TEXT NOT NULL,
    uri TEXT NOT NULL,
    PRIMARY KEY (server, conversation, uri)
  ) STRICT, WITHOUT ROWID;
  `,
  // Messages as a tree. The index holds all of it, so that a path is found without reading what the messages say. Of a
  // message with several children the one shown last is kept only where it is not the one made last.
  `
  ALTER TABLE messages ADD COLUMN parent TEXT;
  ALTER TABLE messages ADD COLUMN deleted_at REAL;
  ALTER TABLE conversations ADD COLUMN leaf TEXT;
  UPDATE messages SET parent = before.id
    FROM (SELECT place, lag(id) OVER (PARTITION BY conversation_id ORDER BY place) AS id FROM messages) AS before
    WHERE before.place = messages.place;
  UPDATE conversations SET leaf = (SELECT id FROM messages WHERE conversation_id = conversations.id ORDER BY place DESC LIMIT 1);
  DROP INDEX messages_of_conversation;
  CREATE INDEX messages_of_conversation ON messages (conversation_id, place, id, parent, deleted_at);
  CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE TABLE branches_shown (
    parent TEXT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    child TEXT NOT NULL,
    conversation_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX branches_shown_of_conversation ON branches_shown (conversation_id, parent, child);
  `,
  // What can be found in conversations, the text itself aside. Of a profile that has some, `search_build` says how far the
  // index has come; a message that goes takes its words along.
  `
  CREATE VIRTUAL TABLE search_words USING fts5 (words, facts, content = '', contentless_delete = 1, tokenize = 'ascii');
  CREATE TABLE search_pieces (place INTEGER PRIMARY KEY, message INTEGER, piece INTEGER NOT NULL, conversation_id TEXT) STRICT;
  CREATE INDEX search_of_message ON search_pieces (message) WHERE message IS NOT NULL;
  CREATE INDEX search_of_title ON search_pieces (conversation_id) WHERE conversation_id IS NOT NULL;
  CREATE TABLE search_terms (term TEXT PRIMARY KEY, seen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE search_build (title TEXT, message INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
  INSERT INTO search_build SELECT '', 0, coalesce(max(place), 0) FROM messages HAVING EXISTS (SELECT 1 FROM conversations);
  CREATE TRIGGER search_forgets_message AFTER DELETE ON messages BEGIN
    DELETE FROM search_words WHERE rowid IN (SELECT place FROM search_pieces WHERE message = OLD.place);
    DELETE FROM search_pieces WHERE message = OLD.place;
  END;
  CREATE TRIGGER search_forgets_title AFTER DELETE ON conversations BEGIN
    DELETE FROM search_words WHERE rowid IN (SELECT place FROM search_pieces WHERE conversation_id = OLD.id);
    DELETE FROM search_pieces WHERE conversation_id = OLD.id;
  END;
  `,
  // Where a conversation is listed, read from its body; and folders of chats.
  `
  ALTER TABLE conversations ADD COLUMN shelf TEXT GENERATED ALWAYS AS (CASE
    WHEN NOT json_valid(body) THEN NULL
    WHEN json_extract(body, '$.archivedAt') IS NOT NULL THEN 'archived'
    WHEN json_extract(body, '$.pinned') THEN 'pinned'
    WHEN json_extract(body, '$.folderId') IS NOT NULL THEN 'folder:' || json_extract(body, '$.folderId')
    ELSE 'loose' END) VIRTUAL;
  ALTER TABLE conversations ADD COLUMN folder TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN json_extract(body, '$.folderId') END) VIRTUAL;
  ALTER TABLE conversations ADD COLUMN model TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN json_extract(body, '$.model') END) VIRTUAL;
  ALTER TABLE conversations ADD COLUMN title TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(body) THEN json_extract(body, '$.title') END) VIRTUAL;
  DROP INDEX conversations_listed;
  CREATE INDEX conversations_shelved ON conversations (shelf, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
  -- Wide enough to find by without the bodies.
  CREATE INDEX conversations_found ON conversations (updated_at DESC, id DESC, shelf, folder, model, title) WHERE deleted_at IS NULL;
  CREATE TABLE chat_folders (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `,
  // What models were asked for. Conversation '': none. No reference to it: what was spent stays when it goes.
  `
  CREATE TABLE model_use (
    place INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost REAL
  ) STRICT;
  CREATE INDEX model_use_by_day ON model_use (day, cost, input, output, cache_read, cache_write);
  `,
  // What stands in composers beside their text.
  'CREATE TABLE draft_extras (conversation_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT',
  // How often a rule answered, and when last: counted from the record as it is written, so that no page reads it through.
  `
  CREATE TABLE rule_uses (rule TEXT PRIMARY KEY, times INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO rule_uses (rule, times, last)
    SELECT json_extract(detail, '$.ruleId'), count(*), max(time) FROM audit
    WHERE ${byRule('audit')} GROUP BY 1;
  CREATE TRIGGER audit_counts_rules AFTER INSERT ON audit WHEN ${byRule('NEW')}
    BEGIN INSERT INTO rule_uses (rule, times, last) VALUES (json_extract(NEW.detail, '$.ruleId'), 1, NEW.time)
      ON CONFLICT (rule) DO UPDATE SET times = times + 1, last = excluded.last; END;
  `,
  // Tools that the person ran by hand.
  `
  CREATE TABLE hand_runs (id TEXT PRIMARY KEY, at REAL NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL, ended INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX hand_runs_by_time ON hand_runs (at DESC, id DESC, server, tool);
  CREATE INDEX hand_runs_under_way ON hand_runs (id) WHERE ended = 0;
  `,
  // Views of tools (MCP Apps) that reach beyond this machine, as the person agreed to them.
  'CREATE TABLE agreed_views (place INTEGER PRIMARY KEY, server TEXT NOT NULL, uri TEXT NOT NULL, fingerprint TEXT NOT NULL, UNIQUE (server, uri, fingerprint)) STRICT',
  // Names of servers and tools among the known terms, so that a search by how one begins walks their rows lazily. They are read
  // from the index of older profiles: hexadecimal digits behind an s or a t, which few words are.
  `
  CREATE VIRTUAL TABLE temp.search_vocabulary USING fts5vocab (main, search_words, col);
  ${['s', 't']
    .flatMap((kind) => [`'${kind}2' AND term < '${kind}8'`, `'${kind}c' AND term < '${kind}g'`])
    .map(
      (range) =>
        `INSERT INTO search_terms (term, seen) SELECT ':' || term, 0 FROM temp.search_vocabulary WHERE term >= ${range} AND col = 'facts' ON CONFLICT DO NOTHING;`,
    )
    .join('\n  ')}
  DROP TABLE temp.search_vocabulary;
  `,
  // Resources of servers that list very many, in pieces; `resources` says of which version they are.
  `
  CREATE TABLE server_resources (id INTEGER PRIMARY KEY, server TEXT NOT NULL, version INTEGER NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX server_resources_by_place ON server_resources (server, version, place);
  ALTER TABLE server_memory ADD COLUMN resources INTEGER;
  `,
  // What one chat came to is read from the index alone.
  'CREATE INDEX model_use_of_conversation ON model_use (conversation_id, cost, input, output, cache_read, cache_write)',
  // Bytes that were attached and are not sent yet.
  'CREATE TABLE loose_blobs (sha256 TEXT PRIMARY KEY) STRICT',
  // Servers whose word about their tools counts, by the person's answer; `launch`: what was trusted. Nothing is taken over:
  // what the file of servers said before may be anybody's word.
  'CREATE TABLE trusted_servers (server TEXT PRIMARY KEY, launch TEXT NOT NULL) STRICT',
  // Only the version moves: rules may be about a flow or a server’s data (`flow`, `public`), and a version that knows neither would take
  // them for approvals of every tool. Messages of before have no marks; those are derived from what they hold.
  'SELECT 1',
  // The signature over what the person allowed, and the settings under it.
  `
  CREATE TABLE state_seal (one INTEGER PRIMARY KEY CHECK (one = 1), counter INTEGER NOT NULL, base TEXT NOT NULL, rows TEXT NOT NULL, mac TEXT NOT NULL) STRICT;
  CREATE TABLE signed_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  INSERT INTO signed_settings SELECT name, value FROM settings WHERE name IN ('consentMode', 'roots', 'registryAddress');
  INSERT INTO signed_settings SELECT name, value FROM facts WHERE name = 'models/endpoints';
  DELETE FROM settings WHERE name IN ('consentMode', 'roots', 'registryAddress');
  DELETE FROM facts WHERE name = 'models/endpoints';
  `,
  // What sandboxed servers tried, counted by target and outcome. Port 0: a path. Refused '': it was reached.
  `
  CREATE TABLE sandbox_attempts (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    port INTEGER NOT NULL,
    refused TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    tool TEXT,
    call_id TEXT,
    PRIMARY KEY (server, kind, target, port, refused)
  ) STRICT, WITHOUT ROWID;
  `,
  // What servers used of the model is signed from here on, so it begins anew: in a profile of before nobody signed it.
  `
  DROP TABLE sampling_use;
  CREATE TABLE sampling_spent (server TEXT NOT NULL, day TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (server, day)) STRICT, WITHOUT ROWID;
  `,
  // Saved prompts, assistants and facts of the memory.
  'CREATE TABLE personal (id TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL) STRICT',
  // Tasks of a server that had not ended when the host did.
  'ALTER TABLE server_memory ADD COLUMN tasks TEXT',
  // Agents that may use the servers. Rules may be bound to one from here on, and a version that does not know it would take them for
  // rules of every chat.
  'CREATE TABLE gate_clients (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT',
  // Every profile that there is has its whole index.
  'DROP TABLE search_build',
]
