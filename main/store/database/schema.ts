// The schema as a list of migrations. Step 0 makes a profile of `oldestVersion`, the oldest that opens (that of commit 0398f21); each step
// after it brings a profile to the next version. Steps are only ever added, and their text is compared with a backup's schema. What is read
// whole is JSON in `body`; further columns are for finding and ordering.
export const oldestVersion = 20

const fromBody = (name: string): string => `CASE WHEN json_valid(body) THEN json_extract(body, '$.${name}') END`

export const migrations: readonly string[] = [
  `
  -- Messages are a tree: “leaf” is the end of the path that is shown, “shelf” where the conversation is listed.
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    updated_at REAL NOT NULL,
    activity TEXT NOT NULL,
    deleted_at REAL,
    body TEXT NOT NULL,
    leaf TEXT,
    shelf TEXT GENERATED ALWAYS AS (CASE
      WHEN NOT json_valid(body) THEN NULL
      WHEN json_extract(body, '$.archivedAt') IS NOT NULL THEN 'archived'
      WHEN json_extract(body, '$.pinned') THEN 'pinned'
      WHEN json_extract(body, '$.folderId') IS NOT NULL THEN 'folder:' || json_extract(body, '$.folderId')
      ELSE 'loose' END) VIRTUAL,
    folder TEXT GENERATED ALWAYS AS (${fromBody('folderId')}) VIRTUAL,
    model TEXT GENERATED ALWAYS AS (${fromBody('model')}) VIRTUAL,
    title TEXT GENERATED ALWAYS AS (${fromBody('title')}) VIRTUAL
  ) STRICT;
  CREATE INDEX conversations_unfinished ON conversations (id) WHERE activity IN ('working', 'waiting');
  CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE INDEX conversations_shelved ON conversations (shelf, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
  -- Wide enough to find by without the bodies.
  CREATE INDEX conversations_found ON conversations (updated_at DESC, id DESC, shelf, folder, model, title) WHERE deleted_at IS NULL;
  CREATE TABLE chat_folders (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE messages (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    body TEXT NOT NULL,
    parent TEXT,
    deleted_at REAL
  ) STRICT;
  -- Holds the whole tree, so that a path is found without reading what the messages say.
  CREATE INDEX messages_of_conversation ON messages (conversation_id, place, id, parent, deleted_at);
  CREATE INDEX messages_unfinished ON messages (place) WHERE state = 'streaming';
  CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL;
  -- Of a message with several children, the one shown last, where that is not the one made last.
  CREATE TABLE branches_shown (
    parent TEXT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    child TEXT NOT NULL,
    conversation_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX branches_shown_of_conversation ON branches_shown (conversation_id, parent, child);
  CREATE TABLE drafts (conversation_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE draft_extras (conversation_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, mime_type TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
  -- Blobs that were attached and are not sent yet.
  CREATE TABLE loose_blobs (sha256 TEXT PRIMARY KEY) STRICT;
  -- Tools that the person ran by hand.
  CREATE TABLE hand_runs (id TEXT PRIMARY KEY, at REAL NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL, ended INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX hand_runs_by_time ON hand_runs (at DESC, id DESC, server, tool);
  CREATE INDEX hand_runs_under_way ON hand_runs (id) WHERE ended = 0;

  CREATE TABLE rules (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, server TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  -- Counted from the audit log as it is written, so that no page reads it through.
  CREATE TABLE rule_uses (rule TEXT PRIMARY KEY, times INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- “digest”: keyed digests of the values that a launch was approved with.
  CREATE TABLE launches (server TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, target TEXT NOT NULL, digest TEXT) STRICT;
  -- MCP Apps that connect beyond this machine, as the person agreed to them.
  CREATE TABLE agreed_views (place INTEGER PRIMARY KEY, server TEXT NOT NULL, uri TEXT NOT NULL, fingerprint TEXT NOT NULL, UNIQUE (server, uri, fingerprint)) STRICT;
  -- Folders that a server may be told of unasked; conversation '': in all of them.
  CREATE TABLE told_folders (
    server TEXT NOT NULL,
    conversation TEXT NOT NULL,
    uri TEXT NOT NULL,
    PRIMARY KEY (server, conversation, uri)
  ) STRICT, WITHOUT ROWID;
  -- Tools as the person accepted them, the latest last.
  CREATE TABLE definitions (
    place INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (server, tool)
  ) STRICT;
  CREATE TABLE sampling_budgets (server TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE sampling_use (server TEXT NOT NULL, day TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (server, day)) STRICT, WITHOUT ROWID;

  -- “launch”: whose launch told it. “resources”: version of the lists in “server_resources”.
  CREATE TABLE server_memory (server TEXT PRIMARY KEY, catalogue TEXT, session TEXT, launch TEXT, resources INTEGER) STRICT;
  -- Lists of servers that list very many, in pieces.
  CREATE TABLE server_resources (id INTEGER PRIMARY KEY, server TEXT NOT NULL, version INTEGER NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX server_resources_by_place ON server_resources (server, version, place);
  CREATE TABLE server_choices (server TEXT PRIMARY KEY, log_level TEXT, folders TEXT) STRICT;
  CREATE TABLE disabled_tools (server TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, tool)) STRICT, WITHOUT ROWID;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- Requests to models. Conversation '': none. No reference to it: what was spent stays when it goes.
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
  CREATE INDEX model_use_of_conversation ON model_use (conversation_id, cost, input, output, cache_read, cache_write);

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
  -- Where the chain ends, so that a cut tail shows. Over rows that somebody put behind it, it may move on by more than one.
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
    WHEN NEW.seq <= OLD.seq
    BEGIN SELECT RAISE(ABORT, 'the record is never cut'); END;
  CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head
    BEGIN SELECT RAISE(ABORT, 'the record is never cut'); END;
  -- What rows are filtered by, in their order, and every word of them. Neither is part of the chain.
  CREATE INDEX audit_facts ON audit (seq, time, kind, server, decision, by);
  CREATE VIRTUAL TABLE audit_words USING fts5 (words, content = '', tokenize = 'unicode61 remove_diacritics 2');
  CREATE TRIGGER audit_is_found AFTER INSERT ON audit
    BEGIN INSERT INTO audit_words (rowid, words) VALUES (NEW.seq, concat_ws(' ', NEW.kind, NEW.server, NEW.tool, NEW.decision, NEW.by, NEW.conversation_id,
    (SELECT replace(replace(group_concat(atom, ' '), '\\n', ' '), '\\t', ' ') FROM json_tree(NEW.detail) WHERE atom IS NOT NULL))); END;
  CREATE TRIGGER audit_counts_rules AFTER INSERT ON audit WHEN NEW.kind = 'decision' AND NEW.by = 'rule' AND json_valid(NEW.detail) AND json_type(NEW.detail, '$.ruleId') = 'text'
    BEGIN INSERT INTO rule_uses (rule, times, last) VALUES (json_extract(NEW.detail, '$.ruleId'), 1, NEW.time)
      ON CONFLICT (rule) DO UPDATE SET times = times + 1, last = excluded.last; END;

  -- What can be found in conversations, the text itself aside. A message that goes takes its words along.
  CREATE VIRTUAL TABLE search_words USING fts5 (words, facts, content = '', contentless_delete = 1, tokenize = 'ascii');
  CREATE TABLE search_pieces (place INTEGER PRIMARY KEY, message INTEGER, piece INTEGER NOT NULL, conversation_id TEXT) STRICT;
  CREATE INDEX search_of_message ON search_pieces (message) WHERE message IS NOT NULL;
  CREATE INDEX search_of_title ON search_pieces (conversation_id) WHERE conversation_id IS NOT NULL;
  -- Names of servers and tools are among the known terms, so that a search by how one begins walks their rows lazily.
  CREATE TABLE search_terms (term TEXT PRIMARY KEY, seen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE search_build (title TEXT, message INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
  CREATE TRIGGER search_forgets_message AFTER DELETE ON messages BEGIN
    DELETE FROM search_words WHERE rowid IN (SELECT place FROM search_pieces WHERE message = OLD.place);
    DELETE FROM search_pieces WHERE message = OLD.place;
  END;
  CREATE TRIGGER search_forgets_title AFTER DELETE ON conversations BEGIN
    DELETE FROM search_words WHERE rowid IN (SELECT place FROM search_pieces WHERE conversation_id = OLD.id);
    DELETE FROM search_pieces WHERE conversation_id = OLD.id;
  END;
  `,
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

export const schemaVersion = oldestVersion + migrations.length - 1
