import { expect, test } from 'vitest'
import { variableEffectOf } from './environment-names.ts'

// Names from ld.so(8), sudo's env.c (initial_badenv_table), the runtimes' manuals, OpenClaw's host-env-security-policy.json,
// bytedance/deer-flow pull 4617 and microsoft/vscode issue 318893.
test.each([
  ...[
    'PATH NODE_OPTIONS NODE_PATH LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONHOME PYTHONSTARTUP RUBYOPT RUBYLIB',
    'PERL5OPT PERL5LIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS BASH_ENV ENV SHELLOPTS PS4 PROMPT_COMMAND BASH_FUNC_ls%%',
    'GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_CONFIG_GLOBAL npm_config_registry npm_config_node_options NPM_CONFIG_SCRIPT_SHELL',
    'UV_INDEX_URL UV_DEFAULT_INDEX PIP_INDEX_URL PIP_EXTRA_INDEX_URL DOTNET_STARTUP_HOOKS EDITOR PAGER LESSOPEN LUA_INIT LUA_INIT_5_4',
    'PHPRC ELECTRON_RUN_AS_NODE HOME GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF',
    'XDG_CACHE_HOME UV_CACHE_DIR APPDATA PUPPETEER_EXECUTABLE_PATH RUSTUP_TOOLCHAIN ERL_FLAGS JULIA_LOAD_PATH R_PROFILE_USER DOTNET_ROOT_X64',
    'LESS npm_execpath NODE_V8_COVERAGE PIPX_HOME PNPM_HOME NVM_DIR MONO_PATH NODE_COMPILE_CACHE TS_NODE_PROJECT CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER',
    'yarn_rc_filename Yarn_Ignore_Path pnpm_config_registry PIPX_DEFAULT_PYTHON UV_CONFIG_FILE UV_INSECURE_HOST __PYVENV_LAUNCHER__ PY_PYTHON',
    'ESBUILD_BINARY_PATH NAPI_RS_NATIVE_LIBRARY_PATH DOTNET_JitName COMPlus_JitPath BUNDLE_PATH R_ENVIRON JULIA_PROJECT GOAUTH RSYNC_RSH SSH_SK_PROVIDER',
    'ODBCSYSINI GI_TYPELIB_PATH MAKEFILES CARGO_ALIAS_RUN RUSTC_WORKSPACE_WRAPPER TCLLIBPATH PYENV_VERSION TMPDIR BASH_LOADABLES_PATH',
  ].flatMap((line) => line.split(' ').map((name) => [name, false, 'code'] as const)),
  ...'HTTP_PROXY https_proxy ALL_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE NODE_TLS_REJECT_UNAUTHORIZED DOCKER_HOST SSLKEYLOGFILE GRPC_PROXY OPENAI_BASE_URL'
    .split(' ')
    .map((name) => [name, false, 'network'] as const),
  ...'API_KEY NOTES_TOKEN MODE DEBUG LOG_LEVEL NODE_ENV PYTHONUNBUFFERED PYTHONIOENCODING UV_THREADPOOL_SIZE DOTNET_NOLOGO GIT_AUTHOR_NAME TZ LANG path node_options Path __proto__'
    .split(' ')
    .map((name) => [name, false, undefined] as const),
  ...'Path ComSpec PathExt node_options pythonpath ld_preload npm_execpath ProgramFiles(x86) complus_JitName'
    .split(' ')
    .map((name) => [name, true, 'code'] as const),
  ['Docker_Host', true, 'network'],
  ['Mode', true, undefined],
] as const)('%s (Windows: %s): %s', (name, windows, effect) => {
  expect(variableEffectOf(name, windows)).toBe(effect)
})
