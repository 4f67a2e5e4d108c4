// More starts that failed, told by what programs wrote of it, beside those in `diagnosis-table.testing.ts`. Outputs as they came
// are in `real-failures.json`.
import type { DiagnosisCode } from '#app/server/doctor.ts'
import type { DiagnosisCase } from './diagnosis-input.ts'
import { attempt, blank, blocked, ended, made, stdio, wrote } from './doctor.testing.ts'

/** Cases: title, start, expected code and parts of its texts. */
export const wordsTable: readonly (readonly [string, DiagnosisCase, DiagnosisCode, string[]])[] = [
  [
    'it says what is missing, and then how it is used',
    wrote(['Error: missing --root', 'Usage: tool --root ROOT', '', 'Options:', '  --help  Show help'], stdio('npx'), {
      code: 1,
      signal: null,
    }),
    'argument-required',
    ['“Error: missing --root”'],
  ],
  [
    'it lists the variables that it misses',
    wrote(['Error: Missing required environment variables:', '  - SITE_NAME is required', '  - API_TOKEN is required']),
    'variable-required',
    ['SITE_NAME and API_TOKEN'],
  ],
  [
    'a key that it writes of in JSON',
    wrote('{"level":50,"msg":"ACME_API_KEY is required"}'),
    'variable-required',
    ['“ACME_API_KEY is required”'],
  ],
  [
    'an error in JSON on stdout',
    made(
      'server.exited',
      { code: 1 },
      { trace: { ...blank, exit: { code: 1, signal: null }, output: ['{"error":{"message":"no such project"}}'] } },
    ),
    'crashed-at-once',
    ['“no such project”'],
  ],
  [
    'an HTTP server that was started as a program',
    made('server.start-timeout', {}, { trace: { ...blank, output: ['listening on 127.0.0.1:3940'] } }),
    'http-server',
    ['“listening on 127.0.0.1:3940”', 'listens on 127.0.0.1:3940, not on stdio'],
  ],
  [
    'a program with a page and a debugger beside stdio',
    made(
      'server.start-timeout',
      {},
      {
        trace: {
          ...blank,
          stderr: ['Debugger listening on ws://127.0.0.1:9229/1', 'Dashboard running at http://localhost:3000', 'Server running on stdio'],
        },
      },
    ),
    'too-slow',
    [],
  ],
  [
    'a list of tools that failed',
    made('server.list-failed', { reason: 'fetch failed', code: -32603 }),
    'list-failed',
    ['“fetch failed”', 'tools'],
  ],
  [
    'a list of tools that failed for want of a key',
    made('server.list-failed', { reason: 'Unauthorized. Provide a token via the --access-token flag or SUPABASE_ACCESS_TOKEN.' }),
    'list-failed',
    ['Add SUPABASE_ACCESS_TOKEN'],
  ],
  [
    'a list of tools that failed for want of a network, in JSON (firebase-tools 15.34.2)',
    made('server.list-failed', {
      code: -32603,
      reason:
        'Failed to fetch remote tools for https://a.example: {"name":"FirebaseError","message":"Failed to make request to https://a.example/mcp","original":{"errno":-3001,"code":"EAI_AGAIN"},"status":500}',
    }),
    'list-failed',
    ['“Failed to fetch remote tools for https://a.example: Failed to make request to https://a.example/mcp”', 'the network'],
  ],
  [
    'a runtime that throws',
    wrote(['Error: no such shelf', '    at open (/a.js:1:1)', '}', 'Node.js v20.20.2']),
    'crashed-at-once',
    ['“Error: no such shelf”'],
  ],
  [
    'a Python that throws',
    wrote(
      ['Traceback (most recent call last):', '  File "/srv/a.py", line 3, in <module>', '    main()', 'ValueError: no such shelf'],
      stdio('python3'),
    ),
    'crashed-at-once',
    ['“ValueError: no such shelf”'],
  ],
  [
    'a host and a file that the sandbox refused',
    blocked(wrote('Error: connect ECONNREFUSED'), [
      { ...attempt, kind: 'host', target: 'api.example', port: 443, refused: 'not-granted' },
      { ...attempt, kind: 'host', target: 'gone.example', port: 443, refused: 'not-found' },
      { ...attempt, kind: 'read', target: '/home/ada/notes', refused: 'not-granted' },
    ]),
    'blocked-by-sandbox',
    ['blocked: api.example and Read /home/ada/notes', '“Error: connect ECONNREFUSED”', 'Permissions'],
  ],
  [
    'a host that stays blocked',
    blocked(wrote('Error: getaddrinfo EAI_AGAIN db.example'), [
      { ...attempt, kind: 'host', target: 'db.example', port: 5432, refused: 'denied' },
    ]),
    'blocked-by-sandbox',
    ['db.example:5432', 'You chose to block that.'],
  ],
  [
    'a variable that it wants, whatever else was refused',
    blocked(wrote('{"level":50,"msg":"ACME_API_KEY is required"}'), [
      { ...attempt, kind: 'host', target: 'telemetry.example', port: 443, refused: 'not-granted' },
    ]),
    'variable-required',
    ['ACME_API_KEY'],
  ],
  [
    'hosts that were reached, and one whose name nobody knows',
    blocked(ended(1), [
      { ...attempt, kind: 'host', target: 'api.example', port: 443 },
      { ...attempt, kind: 'host', target: 'gone.example', port: 443, refused: 'not-found' },
    ]),
    'crashed-at-once',
    ['exit code 1'],
  ],
  [
    'a package whose dependency lies elsewhere (@neondatabase/mcp-server-neon 0.6.5)',
    made('server.package-not-installed', { said: 'npm error code E403', refused: ['codeload.github.com'] }),
    'blocked-by-sandbox',
    ['codeload.github.com', 'the host’s own sentence'],
  ],
  [
    'a package that was not installed',
    made('server.package-not-installed', { said: '', refused: [] }),
    'package-not-installed',
    ['network'],
  ],
  [
    'a sandbox that cannot allow it',
    made('server.sandbox-grant', { path: '/proc' }),
    'sandbox-grant',
    ['/proc', 'the host’s own sentence'],
  ],
  ['no sandbox here', made('server.sandbox-missing', { remedy: 'Install bubblewrap.' }), 'sandbox-missing', ['Install bubblewrap.']],
  ['no sandbox here, and no remedy', made('server.sandbox-missing', { remedy: '' }), 'sandbox-missing', ['without a sandbox']],
  ['Go misses a program', wrote('exec: "uv": executable file not found in $PATH'), 'command-not-found', ['uv was not found']],
  ['Node misses a program', wrote('Error: spawn git ENOENT'), 'command-not-found', ['git was not found']],
  [
    'a port that Docker gave away',
    wrote('Bind for 0.0.0.0:8080 failed: port is already allocated'),
    'port-in-use',
    ['is already allocated'],
  ],
  ['a port in the words of Java', wrote('Web server failed to start. Port 8080 was already in use.'), 'port-in-use', ['Port 8080']],
  ['a port in the words of Rust', wrote('Error: Address in use (os error 98)'), 'port-in-use', ['os error 98']],
  [
    'an inner exception of .NET',
    wrote([
      'System.Exception: No settings.',
      ' ---> System.IO.IOException: bad.json is empty',
      '   --- End of inner exception stack trace ---',
    ]),
    'crashed-at-once',
    ['No settings', 'bad.json is empty'],
  ],
  ['nothing but a cause', wrote('Caused by: java.io.IOException: closed'), 'crashed-at-once', ['java.io.IOException: closed']],
]
