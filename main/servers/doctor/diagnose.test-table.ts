// One start that failed in each way that the doctor knows, and what it must say of it.
import type { HostErrorCode } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { DiagnosisCode, StartTrace } from '#app/server/doctor.ts'
import type { Case, Facts } from './case.ts'

/** What stands for something in an editor only. */
const nothing = `\${config:x}`
const common = { enabled: true, start: 'needed', trusted: false } as const
const stdio = (command = 'uvx', args: string[] = ['ledger-mcp']): ServerDefinition => ({
  ...common,
  transport: 'stdio',
  command,
  args,
  env: {},
})
const remote: ServerDefinition = { ...common, transport: 'streamable-http', url: 'https://mcp.linear.app/mcp', headers: {} }
const blank: StartTrace = {
  startedAt: 1,
  command: 'uvx ledger-mcp',
  resolved: '/usr/bin/uvx',
  path: '/usr/bin',
  pathSource: 'terminal',
  cwd: '/home/ada',
  exit: null,
  stderr: [],
  output: [],
  steps: [],
}
export const facts: Facts = { platform: 'linux', arch: 'x64' }

export const made = (code: HostErrorCode, data: JsonObject = {}, change: Partial<Case> = {}): Case => ({
  name: 'ledger',
  definition: stdio(),
  error: { code, message: 'the host’s own sentence', data },
  trace: blank,
  facts,
  ...change,
})
const away = (reason: string, more: JsonObject = {}): Case => made('server.unreachable', { reason, ...more }, { definition: remote })
const status = (code: number, more: JsonObject = {}): Case => made('server.http-status', { status: code, ...more }, { definition: remote })
/** It ended, and had written these lines. */
const wrote = (stderr: string | string[], definition = stdio(), exit: StartTrace['exit'] = { code: 1, signal: null }): Case =>
  made('server.exited', {}, { definition, trace: { ...blank, exit, stderr: [stderr].flat() } })
const ended = (code: number | null, signal: string | null = null): Case => wrote([], stdio(), { code, signal })
const binary = (system: NodeJS.Platform, arch: string, on: Partial<Facts> = {}): Case =>
  made('server.spawn-failed', { reason: 'ENOEXEC' }, { facts: { ...facts, ...on, program: { kind: 'binary', system, arch } } })

/** what · expected · what its words must carry */
export const table: readonly (readonly [string, Case, DiagnosisCode, string[]])[] = [
  [
    'uvx is not there',
    made('server.command-not-found', { command: 'uvx', pathSource: 'login-shell' }),
    'command-not-found',
    ['uvx comes with uv', 'login shell'],
  ],
  ['npx is not there', made('server.command-not-found', { command: 'npx' }), 'command-not-found', ['Node.js']],
  ['docker is not there', made('server.command-not-found', { command: 'docker' }), 'command-not-found', ['Docker Desktop']],
  [
    'a slip of the fingers',
    made('server.command-not-found', { command: 'pythn3', didYouMean: 'python3' }),
    'command-not-found',
    ['Did you mean python3?'],
  ],
  ['a whole command line', made('server.command-not-found', { command: 'npx -y x' }), 'command-not-found', ['no shell', 'arguments']],
  ['a path to nothing', made('server.command-not-found', { command: '/gone/x' }), 'wrong-path', ['/gone/x']],
  [
    'a path to a folder',
    made('server.command-not-found', { command: '/opt', there: 'folder', file: '/opt' }),
    'command-is-a-folder',
    ['/opt'],
  ],
  [
    'a file on the PATH that is no program',
    made('server.command-not-found', { command: 'x', there: 'file', file: '/bin/x' }),
    'not-executable',
    ['chmod +x'],
  ],
  [
    'a file that may not be executed',
    made('server.spawn-failed', { reason: 'EACCES', command: './x' }),
    'not-executable',
    ['/usr/bin/uvx'],
  ],
  [
    'a first line that names nothing',
    made('server.spawn-failed', { reason: 'ENOENT' }, { facts: { ...facts, program: { kind: 'script', interpreter: 'node' } } }),
    'missing-interpreter',
    ['node', 'Node.js'],
  ],
  [
    'env finds no node',
    wrote('/usr/bin/env: ‘node’: No such file or directory', stdio('/x/tool', []), { code: 127, signal: null }),
    'missing-interpreter',
    ['node'],
  ],
  ['a program for another processor', binary('linux', 'arm64'), 'wrong-architecture', ['ARM']],
  ['a program for another system', binary('darwin', 'arm64'), 'wrong-architecture', ['macOS']],
  ['a program for a processor that is translated', binary('darwin', 'x64', { platform: 'darwin', arch: 'arm64' }), 'could-not-start', []],
  [
    'a line break in the command line',
    made('server.spawn-failed', { reason: 'control-character', field: 'args', argument: 2 }),
    'bad-command-line',
    ['argument 2'],
  ],
  ['a NUL in a variable', made('server.spawn-failed', { reason: 'control-character', field: 'env' }), 'bad-command-line', ['environment']],
  [
    'a batch file of an odd name',
    made('server.spawn-failed', { reason: 'batch-name', field: 'command' }),
    'bad-command-line',
    ['batch file'],
  ],
  [
    'too long a line for a batch file',
    made('server.spawn-failed', { reason: 'too-long' }),
    'bad-command-line',
    ['the host’s own sentence'],
  ],
  ['too long a line for the system', made('server.spawn-failed', { reason: 'E2BIG' }), 'bad-command-line', ['longer']],
  ['too many open files', made('server.spawn-failed', { reason: 'EMFILE' }), 'could-not-start', ['the host’s own sentence']],
  ['a folder that is gone', made('server.cwd-not-found', { cwd: '/gone' }), 'working-folder-missing', ['/gone']],
  ['a folder that is a file', made('server.cwd-not-found', { cwd: '/etc/hosts', there: 'file' }), 'working-folder-missing', ['is a file']],
  ['a variable that is not set', made('config.invalid', { variable: 'TOKEN' }), 'variable-missing', ['TOKEN']],
  ['a folder that is not set', made('config.invalid', { variable: 'workspaceFolder' }), 'variable-missing', ['folder']],
  [
    'a reference to nothing',
    made('config.invalid', { reference: nothing, field: 'args' }),
    'unknown-reference',
    [nothing, 'the host’s own sentence'],
  ],
  [
    'a header that cannot be one',
    made('config.invalid', { name: 'X' }, { definition: remote }),
    'invalid-value',
    ['the host’s own sentence'],
  ],
  ['secrets that nobody entered', made('server.secret-missing', { ids: ['one', 'two'] }), 'secret-missing', ['one and two']],

  [
    'node finds no script',
    wrote("Error: Cannot find module '/srv/indx.js'", stdio('node', ['/srv/indx.js'])),
    'script-not-found',
    ['/srv/indx.js'],
  ],
  [
    'python finds no script',
    wrote("python3: can't open file '/srv/a.py': [Errno 2] No such file or directory", stdio('python3', ['a.py'])),
    'script-not-found',
    ['a.py'],
  ],
  ['sh finds no script', wrote('sh: 0: cannot open run.sh: No such file', stdio('sh', ['run.sh'])), 'script-not-found', ['run.sh']],
  [
    'npm knows no such package',
    wrote(['npm error code E404', "npm error 404  '@x/y@*' is not in this registry."], stdio('npx', ['-y', '@x/y'])),
    'package-not-found',
    ['@x/y', 'is not in this registry'],
  ],
  ['npm knows no such version', wrote('npm ERR! code ETARGET', stdio('npx', ['-y', 'x@9'])), 'package-not-found', ['x@9']],
  [
    'pip knows no such package',
    wrote('ERROR: No matching distribution found for nope', stdio('pipx', ['run', 'nope'])),
    'package-not-found',
    ['nope'],
  ],
  [
    'uv knows no such package',
    wrote([
      '  × No solution found when resolving tool dependencies:',
      '  ╰─▶ Because nope was not found in the package registry and you require nope,',
    ]),
    'package-not-found',
    ['nope'],
  ],
  [
    'uv knows no such version',
    wrote('  ╰─▶ Because there is no version of ledger-mcp==9.9 and you require ledger-mcp==9.9, we can conclude'),
    'package-not-found',
    ['ledger-mcp==9.9'],
  ],
  [
    'uv finds no such program in the package',
    wrote('An executable named `ledger-mcp` is not provided by package `ledger-mcp`.'),
    'program-not-in-package',
    ['uvx --from'],
  ],
  [
    'npm finds no program in the package',
    wrote('npm error could not determine executable to run', stdio('npx', ['-y', 'x'])),
    'program-not-in-package',
    ['-p PACKAGE'],
  ],
  [
    'Python has no such module to run',
    wrote('/usr/bin/python3: No module named ledger_mcp', stdio('python3', ['-m', 'ledger_mcp'])),
    'package-not-found',
    ['ledger_mcp', 'python3 -m pip install'],
  ],
  [
    'Python has no such module within one',
    wrote(
      "/usr/bin/python3: Error while finding module specification for 'ledger.mcp' (ModuleNotFoundError: No module named 'ledger')",
      stdio('python3', ['-m', 'ledger.mcp']),
    ),
    'package-not-found',
    ['ledger.mcp'],
  ],
  [
    'docker does not reach its registry',
    wrote(
      'docker: Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host',
      stdio('docker', ['run', 'x']),
    ),
    'registry-unreachable',
    ['docker'],
  ],
  [
    'docker knows no such image',
    wrote('Error response from daemon: pull access denied for no/such, repository does not exist', stdio('docker', ['run', 'no/such'])),
    'package-not-found',
    ['no/such'],
  ],
  ['npm has no network', wrote('npm error code ENOTFOUND', stdio('npx')), 'registry-unreachable', ['npx']],
  [
    'pip has no network',
    wrote(['Failed to establish a new connection: [Errno -2]', 'ERROR: No matching distribution found for x'], stdio('pipx')),
    'registry-unreachable',
    [],
  ],
  ['uv has no network', wrote('  Caused by: error sending request for url (https://pypi.org/simple/x/)'), 'registry-unreachable', []],
  [
    'docker does not run',
    wrote('docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', stdio('docker')),
    'docker-not-running',
    [],
  ],
  ['a module is missing', wrote("ModuleNotFoundError: No module named 'mcp'", stdio('python3', ['a.py'])), 'module-missing', ['mcp']],
  [
    'a package of Node is missing',
    wrote("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /a.js", stdio('node', ['/a.js'])),
    'module-missing',
    ['zod'],
  ],
  ['it wants a key', wrote('Error: GITHUB_API_KEY environment variable is required'), 'variable-required', ['GITHUB_API_KEY']],
  ['it wants a key, the other way round', wrote('Please set BRAVE_API_KEY and try again'), 'variable-required', ['BRAVE_API_KEY']],
  ['Python wants a key', wrote("KeyError: 'SLACK_BOT_TOKEN'", stdio('python3')), 'variable-required', ['SLACK_BOT_TOKEN']],
  [
    'a module of a newer Node',
    wrote('Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite', stdio('node')),
    'needs-newer-node',
    ['newer'],
  ],
  [
    'words of a newer JavaScript',
    wrote(['SyntaxError: Invalid or unexpected token', 'Node.js v14.0.0'], stdio('node')),
    'needs-newer-node',
    [],
  ],
  ['it says which Node it wants', wrote('This package requires Node.js >=22', stdio('npx')), 'needs-newer-node', []],
  ['arguments that it does not take', wrote('error: unknown option --stdio'), 'wrong-arguments', ['--stdio']],
  ['it says how it is used', wrote('usage: tool [-h] --root ROOT', stdio(), { code: 2, signal: null }), 'wrong-arguments', ['--root']],
  ['it may not read a file', wrote("PermissionError: [Errno 13] Permission denied: '/root/x'"), 'permission-denied', ['/root/x']],
  ['its port is taken', wrote('Error: listen EADDRINUSE: address already in use :::3000'), 'port-in-use', [':::3000']],
  [
    'the heap is full',
    wrote('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', stdio('node'), {
      code: null,
      signal: 'SIGABRT',
    }),
    'out-of-memory',
    [],
  ],
  ['it was killed', ended(null, 'SIGKILL'), 'killed-by-signal', ['memory']],
  ['a container was killed', ended(137), 'killed-by-signal', ['memory']],
  ['it did what no program may', ended(null, 'SIGSEGV'), 'killed-by-signal', ['SIGSEGV']],
  ['it was ended by another', ended(null, 'SIGTERM'), 'killed-by-signal', ['SIGTERM']],
  ['it ends without a word', ended(0), 'ended-by-itself', ['0']],
  [
    'it crashes',
    wrote(['one', '\u001b[31mno such book\u001b[0m', ''], stdio(), { code: 3, signal: null }),
    'crashed-at-once',
    ['3', '“no such book”'],
  ],
  ['it crashes without a word', ended(9), 'crashed-at-once', ['nothing to stderr']],
  ['a name in capitals that nothing is said of', wrote('loaded MY_SETTING, then fell over'), 'crashed-at-once', []],
  [
    'what it wrote is known from the error alone',
    made('server.exited', { code: 3, signal: null, stderr: ['no such book'] }),
    'crashed-at-once',
    ['no such book'],
  ],

  ['it says hello', made('server.not-mcp', {}, { trace: { ...blank, output: ['Hello!'] } }), 'not-mcp', ['“Hello!”']],
  ['it says hello and ends', made('server.exited', { code: 0 }, { trace: { ...blank, output: ['Hello!'] } }), 'not-mcp', ['“Hello!”']],
  ['it says hello and waits', made('server.start-timeout', {}, { trace: { ...blank, output: ['Hello!'] } }), 'not-mcp', ['“Hello!”']],
  ['it refuses to begin', made('server.not-mcp', { code: -32000 }), 'not-mcp', ['refused to begin']],
  ['it knows no greeting', made('server.not-mcp', { code: -32601 }), 'not-mcp', ['speak MCP']],
  ['a web page', made('server.not-mcp', {}, { definition: remote }), 'not-mcp', ['/mcp']],
  [
    'revisions that do not meet',
    made('server.version-mismatch', { supported: ['2031-01-01'], ours: ['2026-07-28'] }),
    'version-mismatch',
    ['2031-01-01', '2026-07-28', 'Update Assent'],
  ],
  [
    'revisions of long ago',
    made('server.version-mismatch', { supported: ['2023-01-01'], ours: ['2026-07-28'] }),
    'version-mismatch',
    ['Update the server'],
  ],
  ['a slow launcher', made('server.start-timeout', { timeoutMs: 60_000 }), 'too-slow', ['1 min', 'fetching']],
  ['a slow address', made('server.start-timeout', {}, { definition: remote }), 'too-slow', []],
  ['too much at once', made('server.too-large', { limit: 64_000_000 }), 'sent-too-much', ['64 MB']],
  ['what the protocol does not allow', made('server.protocol'), 'broke-the-protocol', ['the host’s own sentence']],
  ['a connection that broke', made('server.connection-lost'), 'connection-lost', ['the host’s own sentence']],

  ['nothing listens', away('ECONNREFUSED', { origin: 'https://other.example:8443' }), 'nothing-listens', ['other.example:8443']],
  ['no such host', away('ENOTFOUND'), 'host-unknown', ['mcp.linear.app']],
  ['no name service', away('EAI_AGAIN'), 'host-unknown', ['offline']],
  ['no network', away('ENETUNREACH'), 'offline', []],
  ['a host that is silent', away('UND_ERR_CONNECT_TIMEOUT'), 'no-answer', ['firewall']],
  ['a certificate of its own', away('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls-untrusted', ['NODE_EXTRA_CA_CERTS']],
  ['an authority that nobody knows', away('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls-untrusted', ['authority']],
  ['a certificate that was revoked', away('CERT_REVOKED'), 'tls-untrusted', ['revoked']],
  ['a certificate that has expired', away('CERT_HAS_EXPIRED'), 'tls-expired', ['expired']],
  ['a certificate of tomorrow', away('CERT_NOT_YET_VALID'), 'tls-expired', ['clock']],
  ['a certificate for another', away('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls-wrong-name', ['another name']],
  ['plain words where TLS was expected', away('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls-plain-http', ['http://']],
  ['a proxy that refuses', away('proxy', { proxy: 'proxy:8080' }), 'proxy-refused', ['proxy:8080']],
  ['a proxy that is not there', away('ECONNREFUSED', { proxy: 'proxy:8080' }), 'proxy-unreachable', ['proxy:8080', 'NO_PROXY']],
  ['an answer cut off', away('ECONNRESET'), 'unreachable', ['ECONNRESET']],
  ['a port that nobody may ask', away('failed'), 'unreachable', ['port']],
  ['a path where nothing is', status(404), 'wrong-url', ['404', '/mcp']],
  ['a path that takes no POST', status(405), 'wrong-url', ['405']],
  ['another address', status(301, { location: 'https://new.example/mcp' }), 'moved', ['https://new.example/mcp']],
  ['a token that it does not take', status(403), 'credentials-refused', ['403']],
  ['a proxy in plain HTTP', status(407), 'proxy-refused', []],
  ['too many requests', status(429), 'too-many-requests', ['429']],
  ['a fault of its own', status(503), 'server-error', ['503']],
  ['a status of another kind', status(418), 'http-error', ['the host’s own sentence']],
  ['a sign-in', made('server.sign-in-needed', {}, { definition: remote }), 'sign-in-needed', ['Sign in']],
  ['a sign-in that nobody wanted', made('server.sign-in-refused', {}, { definition: remote }), 'sign-in-refused', []],
  [
    'a sign-in that was denied',
    made('server.sign-in-failed', { reason: 'access_denied', issuer: 'https://auth.linear.app' }, { definition: remote }),
    'sign-in-failed',
    ['auth.linear.app'],
  ],
  [
    'a client that is not known',
    made('server.sign-in-failed', { reason: 'invalid_client', issuer: 'nonsense' }, { definition: remote }),
    'sign-in-failed',
    ['nonsense'],
  ],
  [
    'scopes that are not granted',
    made('server.sign-in-failed', { reason: 'invalid_scope' }, { definition: remote }),
    'sign-in-failed',
    ['scopes'],
  ],
  [
    'a sign-in of another kind of fault',
    made('server.sign-in-failed', {}, { definition: remote }),
    'sign-in-failed',
    ['the host’s own sentence'],
  ],
  [
    'a sign-in that is not offered',
    made('server.sign-in-failed', { reason: 'not-offered' }, { definition: remote }),
    'sign-in-failed',
    ['token'],
  ],
  ['a browser that did not come back', made('server.sign-in-timeout', {}, { definition: remote }), 'sign-in-timeout', []],
  ['a page that comes first', made('server.page-first', {}, { definition: remote }), 'page-first', ['the host’s own sentence']],
  ['a launch that was not allowed', made('server.refused'), 'refused-by-you', []],
  ['a server that is off', made('server.disabled'), 'disabled', []],
  ['a server that was stopped', made('server.stopped'), 'stopped', []],
  ['a server that is gone', made('server.unknown'), 'unknown-server', []],
  ['anything else', made('internal'), 'unexplained', ['the host’s own sentence']],
]
