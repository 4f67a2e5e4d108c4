// Variables that choose which code runs or where traffic goes: their values stand on the card, and another value asks again.
// Sources: the documentation of each runtime (perldoc perlrun, "Environment variables"; ruby(1); JDK tool options; Lua 5.4
// manual 7; .NET DOTNET_STARTUP_HOOKS; git(1); pip "Environment variables"; npm "config"; Go "GOFLAGS"; ld.so(8)).
import { type Attack, always, same } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { fileOf, launchesIn, marking, runsIn, startOf, together } from './acts.ts'

const family = 'variables that choose code'

const names = `PERL5OPT PERL5LIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS CLASSPATH LUA_PATH DOTNET_STARTUP_HOOKS NODE_PATH
  LD_LIBRARY_PATH LD_AUDIT GCONV_PATH PYTHONSTARTUP PYTHONHOME PIP_INDEX_URL UV_INDEX_URL NPM_CONFIG_REGISTRY npm_config_node_options
  GIT_CONFIG_GLOBAL GIT_EXEC_PATH GOFLAGS GOPROXY CARGO_HOME BUNDLE_GEMFILE DOCKER_HOST NODE_EXTRA_CA_CERTS SSL_CERT_FILE ALL_PROXY
  http_proxy SHELL ENV HOME OPENSSL_CONF DENO_DIR BUN_INSTALL`.split(/\s+/)

/** The first of each is allowed, what comes after it not. */
const launches: Person = (request) => (request.why.kind === 'launch-changed' ? { kind: 'deny' } : always(request))

/** A row for each variable: its value is shown, and another one asks. */
export const codeVariablesOf = (names: readonly string[]): readonly Attack[] =>
  together<string>({
    family,
    cast: {},
    launches,
    rows: names.map((name) => [`the value of ${name} is on the card, and another is asked for again`, name]),
    lay: async () => [],
    async attempt(stage, name) {
      const server = `evil-${name}`
      const entry = (value: string) => ({ ...marking(stage.folder), env: { [name]: value, MODE: 'plain' } })
      const shown = (): unknown => {
        const target = launchesIn(stage).at(-1)?.target
        return target?.transport === 'stdio' ? target.variables?.map((one) => [one.name, one.value]) : undefined
      }
      const from = launchesIn(stage).length
      await stage.host.request('config.save', { text: fileOf({ [server]: entry('/tmp/one') }) })
      await startOf(stage, server)
      const before = [...same('control: ran', runsIn(stage).length > 0, true), ...same('shown', shown(), [[name, '/tmp/one']])]
      await stage.host.request('config.save', { text: fileOf({ [server]: entry('/tmp/two') }) })
      await startOf(stage, server)
      return [
        ...before,
        ...same('shown then', shown(), [[name, '/tmp/two']]),
        ...same('asked', launchesIn(stage).length - from, 2),
        ...same('ran', runsIn(stage), []),
      ]
    },
  })

export const codeVariables = codeVariablesOf(names)
