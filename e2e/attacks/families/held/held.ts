// Rows that were written from SECURITY.md, the guide and the decisions alone, by somebody who had not built what they try. None is of the
// quick part, so `npm test` stays as it is.
import type { Attack } from '../../attack.ts'
import { codeVariablesOf } from '../bound/code-variables.ts'
import { askedSecrets } from './asked-secrets.ts'
import { exactValues } from './exact-values.ts'
import { homeSecrets } from './home-secrets.ts'
import { chatsApart, launderedChats } from './laundered-chats.ts'
import { listedResources } from './listed-resources.ts'
import { proxyWords } from './proxy-words.ts'
import { readingAgents } from './reading-agents.ts'
import { repositories } from './repositories.ts'
import { sandboxFolders } from './sandbox-folders.ts'
import { sandboxKernel } from './sandbox-kernel.ts'
import { sandboxProxy } from './sandbox-proxy.ts'
import { strangeAddresses } from './strange-addresses.ts'

/**
 * Further variables that choose code, programs, certificates or hosts, by the manuals of bash, ld.so(8), git, OpenSSH, Perl, PHP, R, Java,
 * .NET, Lua, Go, Rust, npm, Yarn, Corepack, pip, uv, Poetry, GTK, Qt, Playwright, Puppeteer, AWS, Kubernetes and OpenTelemetry.
 */
const variables =
  `PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS IFS ZDOTDIR FPATH CDPATH LD_PROFILE_OUTPUT LD_ORIGIN_PATH GLIBC_TUNABLES LOCPATH NLSPATH
  HOSTALIASES LOCALDOMAIN GIT_CONFIG_COUNT GIT_CONFIG_SYSTEM GIT_TEMPLATE_DIR GIT_ASKPASS GIT_PROXY_COMMAND GIT_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF
  GIT_DIR GIT_COMMON_DIR SSH_ASKPASS EDITOR VISUAL PAGER BROWSER LESSOPEN MANPAGER PERL5DB PERLLIB PHPRC PHP_INI_SCAN_DIR R_PROFILE_USER R_LIBS R_ENVIRON_USER
  _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS GRADLE_USER_HOME JAVA_HOME CORECLR_PROFILER_PATH CORECLR_ENABLE_PROFILING COR_PROFILER DOTNET_ROOT NUGET_PACKAGES
  LUA_INIT LUA_CPATH TCLLIBPATH GOROOT GOPATH GONOSUMDB GOTOOLCHAIN RUSTC_WRAPPER RUSTFLAGS CARGO_BUILD_RUSTC RUSTUP_HOME npm_config_script_shell NPM_CONFIG_USERCONFIG
  npm_config_prefix npm_config_cafile YARN_RC_FILENAME YARN_NPM_REGISTRY_SERVER COREPACK_NPM_REGISTRY COREPACK_HOME BUN_CONFIG_REGISTRY PNPM_HOME NVM_DIR VOLTA_HOME
  PIP_CONFIG_FILE PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_PYTHON UV_CONFIG_FILE UV_TOOL_DIR PYTHONUSERBASE PYTHONINSPECT
  PYTHONBREAKPOINT PYTHONPLATLIBDIR VIRTUAL_ENV CONDA_PREFIX POETRY_HOME PIPX_HOME GEM_HOME GEM_PATH ERL_LIBS MIX_HOME ELECTRON_RUN_AS_NODE
  NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME WGETRC
  OPENSSL_MODULES OPENSSL_ENGINES DOCKER_CONFIG DOCKER_CONTEXT CONTAINER_HOST KUBECONFIG AWS_CONFIG_FILE AWS_ENDPOINT_URL AWS_CA_BUNDLE GTK_MODULES
  GTK_PATH GIO_EXTRA_MODULES GI_TYPELIB_PATH QT_PLUGIN_PATH XDG_CONFIG_HOME XDG_DATA_DIRS VK_LAYER_PATH PUPPETEER_EXECUTABLE_PATH CHROME_PATH
  PLAYWRIGHT_BROWSERS_PATH OPENAI_BASE_URL ANTHROPIC_BASE_URL OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT AWS_ENDPOINT_URL_S3
  FIRESTORE_EMULATOR_HOST GCE_METADATA_HOST AZURE_AUTHORITY_HOST HF_ENDPOINT`
    .trim()
    .split(/\s+/)

export const held: readonly Attack[] = [
  ...exactValues,
  ...launderedChats,
  ...chatsApart,
  ...listedResources,
  ...readingAgents,
  ...strangeAddresses,
  ...homeSecrets,
  ...proxyWords,
  ...repositories,
  ...sandboxFolders,
  ...sandboxKernel,
  ...sandboxProxy,
  ...askedSecrets,
  ...codeVariablesOf(variables),
].map((one) => ({ ...one, long: true }))
