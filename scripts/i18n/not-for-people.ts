// What in `main` and `app` stands in words and is still not for people: it stays English, outside the catalogue. Of whole files, by the
// beginning of their paths; whatever else is not for people stands among what is, and is named itself.
const files: Readonly<Record<string, readonly string[]>> = {
  'a profile, a script or a reply of the sandbox, for programs': [
    'main/servers/process/sandbox/seatbelt/',
    'main/servers/process/sandbox/bubblewrap.ts',
    'main/servers/process/sandbox/proxy/',
  ],
  'said to models': [
    'main/chat/attachments/server-attachments.ts',
    'main/chat/context/model-history.ts',
    'main/chat/context/summarise.ts',
    'main/chat/builtin-tools/',
    'main/chat/results/result-text.ts',
    'main/chat/context/system-prompt.ts',
    'main/chat/titles.ts',
    'main/shell/mcp/agent-http.ts',
    'main/shell/mcp/gate-names.ts',
    'main/shell/mcp/gate-calls.ts',
    'main/shell/mcp/gate-server.ts',
    'main/shell/mcp/gate-tasks.ts',
    'main/chat/turn/tool-calls.ts',
    'main/models/provider.ts',
    'main/models/corrected-requests.ts',
    'main/servers/client/calls/resource-calls.ts',
    'main/models/openai-chat/openai-request.ts',
    'main/models/ai-sdk/sdk-request.ts',
    'main/models/openai-responses/responses-request.ts',
  ],
  'matched against the words of forms': ['app/text/secret-labels.ts'],
  'said to servers and to what they show': [
    'main/chat/sampling/sampling-model.ts',
    'main/chat/sampling/sampling.ts',
    'main/chat/mcp-apps/call-result.ts',
    'main/servers/client/requests/request-interceptors.ts',
  ],
  'matched against the English of tools, and of what the practice model is asked': [
    'app/consent/display/request-title.ts',
    'main/chat/tools/',
    'main/models/practice/demo-tools.testing.ts',
    'main/models/practice/fill-arguments.ts',
    'main/models/practice/word-stems.ts',
  ],
  'names of packages and hosts': ['app/server/sandbox/suggest-grants.ts'],
  'commands, programs and policies': [
    'app/contract/csp.ts',
    'app/lazy-zod.ts',
    'main/chat/mcp-apps/mcp-apps.ts',
    'main/servers/doctor/known-launchers.ts',
    'main/servers/process/ledger/',
    'main/servers/process/process-table.ts',
    'main/servers/process/windows-process-table.ts',
    'main/servers/process/list-process-tree.ts',
    'main/servers/process/watchdog.ts',
    'main/shell/electron/path-command.ts',
  ],
  'a server that is nobody, spoken to before the first': ['main/servers/client/catalogue/warm-up.ts'],
  'a slip of whoever develops, on the link': [
    'app/consent/rules/rule.ts',
    'app/contract/host-connection.ts',
    'app/json-schemas.ts',
    'app/json.ts',
    'main/shell/socket/socket-server.ts',
  ],
}

const texts: Readonly<Record<string, readonly string[]>> = {
  'steps of a start, which scripts go by': ['find command', 'start process', 'first output', 'your assent', 'start again'],
  'what is kept in the record': ['to an earlier test run'],
  'matched against what the SDK of OpenAI says': ['status code (no body)'],
  'names that code goes by': [
    'identity',
    'latest',
    'tool run',
    'tool exec',
    'tool execute',
    'container run',
    'its address',
    'uvx --from PACKAGE PROGRAM',
    'npx -y -p PACKAGE PROGRAM',
    '{0} -m pip install',
    'sudo apt install bubblewrap socat',
    'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    'sudo sysctl -w user.max_user_namespaces=15000',
    'sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor',
    'import os,sys;os.chdir(sys.argv[1]);os.execvp(sys.argv[2],sys.argv[2:])',
  ],
  'a part of the profile, for the log': [
    'folder of chats',
    'run by hand',
    'resources of {0}',
    'tools of {0}',
    'launch of {0}',
    'digests of {0}',
    'definition of {0}',
    'sampling budget of {0}',
    'catalogue of {0}',
    'session of {0}',
    'folders of {0}',
    'tasks of {0}',
  ],
  'said to agents, of what they sent or hear': [
    'Messages were left out.',
    '{0} is missing',
    '{0} contains invalid characters',
    '{0} value {1} does not match body value {2}',
  ],
  'a slip of whoever develops, of a schema': [
    '1 to 64 visible characters, no space at either end',
    'no braces, no control characters',
    'the result is not an object',
  ],
}

const beginnings = Object.values(files).flat()
const known = new Set(Object.values(texts).flat())
/** A policy of content, a sheet of styles, a list of columns, SQL, a regular expression, the beginning of a file or of an answer. */
const MACHINE = /'(?:none|self)'|-webkit-|^seq, time|^json_extract|^(?:DE|AT)TACH |^\(\?:|^SQLite format|^HTTP\/1|^\/\/ /u

/** What is typed at a terminal, in the help and in what to do. */
const isTyped = (file: string, words: string): boolean =>
  /^(?:assent secret set |(?:claude|\{0\}) mcp |model add$|\{0\} install \{1\}$)/u.test(words) ||
  (file === 'main/shell/cli/help.ts' && /^(?:assent|call|chat|model|secret|import|-p,) /u.test(words))

export const isNotForPeople = (file: string, words: string): boolean =>
  known.has(words) || MACHINE.test(words) || isTyped(file, words) || beginnings.some((beginning) => file.startsWith(beginning))
